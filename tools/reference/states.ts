/** Every state machine of the domain, row by row. */
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Row } from '../../src/domain/machine';
import { ACCOUNT_STATUS_OF } from '../../src/domain/wallets';
import { code, table } from './table';

type Machine = readonly Row<string, string>[];

const FOLDER = join(__dirname, '..', '..', 'src', 'domain');

export function statesPage(): string {
  const machines = machinesOfDomain().map(
    ([name, rows]) =>
      `## ${titleOf(name)}\n\n${table(
        ['From', 'Trigger', 'To'],
        rows.map((row) => row.map(code)),
      )}`,
  );
  const accounts = Object.entries(ACCOUNT_STATUS_OF).map((pair) => pair.map(code));
  return [
    '# States',
    'A move that has no row is refused. The same rows drive the guarded update in Postgres, the values that the\n' +
      'database and the interface allow, and the tests of every pair.',
    ...machines,
    `## Status of the account under a wallet\n\n${table(['Wallet', 'Account'], accounts)}`,
  ].join('\n\n');
}

/** Whatever the domain exports under a name that ends in `_MACHINE`: a new one cannot be forgotten here. */
function machinesOfDomain(): [name: string, rows: Machine][] {
  const files = readdirSync(FOLDER).filter((file) => extname(file) === extname(__filename));
  const found = files.flatMap((file) =>
    // oxlint-disable-next-line typescript/no-require-imports -- which files there are is known only here
    Object.entries(require(join(FOLDER, file)) as Record<string, unknown>),
  );
  return (found.filter(([name]) => name.endsWith('_MACHINE')) as [string, Machine][]).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
}

/** BANK_TRANSFER_MACHINE: Bank transfer; USSD_MACHINE: USSD. */
function titleOf(name: string): string {
  const words = name
    .replace(/_MACHINE$/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return (words.slice(0, 1).toUpperCase() + words.slice(1)).replace(/^Ussd\b/, 'USSD');
}
