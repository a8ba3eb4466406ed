/** How long personal data stays, and the columns of the database with what an erasure of a customer does with each. */
import { PERSONAL_DATA, type PersonalClass } from '../../src/domain/personal-data';
import { KEPT_BY_LEGAL_HOLD, RETENTION } from '../../src/domain/retention';
import { COLUMNS, NOT_OF_CUSTOMERS, RETENTION_OF, type Fate } from './personal-columns';
import { code, codes, table } from './table';

export function personalDataPage(): string {
  return [
    '# Personal data by class and by column',
    '## How long it stays',
    'What is deleted or blanked by itself, in the sandbox as in live, and what is kept and why. Mails are deleted by ' +
      'their sender, everything else by the Schedule `retention`.',
    table(
      ['Class', 'What', 'Where', 'Ground', 'Counted from', 'How long', 'Then', 'A legal hold'],
      retentionRows(),
    ),
    '## What an erasure does',
    'What an [erasure of a customer](../personal-data.md#erase-a-person) does with every column that can hold the ' +
      'words of a person: text, JSON and bytes, and by which classes of the table above it ends otherwise. A cell and ' +
      'a directory exist once for each environment.',
    table(['Table', 'Columns', 'What is in them', 'An erasure', 'Retention'], rows()),
  ].join('\n\n');
}

const isOfCustomers = (fate: string): fate is PersonalClass => fate in PERSONAL_DATA;

const rows = (): string[][] =>
  Object.entries(COLUMNS).flatMap(([name, columns]) =>
    [...new Set(Object.values(columns))].map((fate) => {
      const named = Object.keys(columns).filter((column) => columns[column] === fate);
      const classes = retentionOf(fate);
      if (!isOfCustomers(fate)) return [code(name), codes(named), NOT_OF_CUSTOMERS[fate], '-', classes];
      const { what, keptBecause } = PERSONAL_DATA[fate];
      return [
        code(name),
        codes(named),
        what,
        keptBecause === null ? 'erases it' : `keeps it: ${keptBecause}`,
        classes,
      ];
    }),
  );

const classesOf = (fate: Fate): readonly string[] =>
  fate === 'words' || fate === 'secrets' ? [] : RETENTION_OF[fate];

const retentionOf = (fate: Fate): string => codes(classesOf(fate));

/** The tables in which a column ends by this class. */
const tablesOf = (name: string): string[] =>
  Object.entries(COLUMNS).flatMap(([at, columns]) =>
    Object.values(columns).some((fate) => classesOf(fate).includes(name)) ? [at] : [],
  );

const retentionRows = (): string[][] =>
  Object.entries(RETENTION).map(([name, { what, ground, from, period, then }]) => [
    code(name),
    what,
    codes(tablesOf(name)),
    ground,
    from,
    period === null ? 'for good' : 'days' in period ? `${String(period.days)} days` : code(period.variable),
    then,
    period === null
      ? '-'
      : (KEPT_BY_LEGAL_HOLD as readonly string[]).includes(name)
        ? 'keeps it'
        : 'does not',
  ]);
