/** The columns of the database, with what an erasure of a customer does with each. */
import { PERSONAL_DATA, type PersonalClass } from '../../src/domain/personal-data';
import { COLUMNS, NOT_OF_CUSTOMERS } from './personal-columns';
import { code, codes, table } from './table';

export function personalDataPage(): string {
  return [
    '# Columns with personal data',
    'What an [erasure of a customer](../personal-data.md#erase-a-person) does with every column that can hold the ' +
      'words of a person: text, JSON and bytes. A cell and a directory exist once for each environment.',
    table(['Table', 'Columns', 'What is in them', 'An erasure'], rows()),
  ].join('\n\n');
}

const isOfCustomers = (fate: string): fate is PersonalClass => fate in PERSONAL_DATA;

const rows = (): string[][] =>
  Object.entries(COLUMNS).flatMap(([name, columns]) =>
    [...new Set(Object.values(columns))].map((fate) => {
      const named = Object.keys(columns).filter((column) => columns[column] === fate);
      if (!isOfCustomers(fate)) return [code(name), codes(named), NOT_OF_CUSTOMERS[fate], '-'];
      const { what, keptBecause } = PERSONAL_DATA[fate];
      return [
        code(name),
        codes(named),
        what,
        keptBecause === null ? 'erases it' : `keeps it: ${keptBecause}`,
      ];
    }),
  );
