/**
 * `npm run banks -- --from <file or company> [--to <file>]`: compares our list of banks with another one, a file (JSON or CSV) or the
 * list of a company that pays out in live, and writes both together as a file for BANKS_FILE. It removes no bank and changes no code: what
 * differs is said, and it ends with 1 where anything is to be decided. For a company it has the settings of the API. The format of
 * such a file is in docs/configuration.md.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { compareBanks, type ComparedBanks, type ListedBank } from '../domain/bank-lists';
import type { Bank } from '../domain/banks';
import { SEED_BANKS } from '../domain/banks';
import { readBanks } from '../providers/bank-directory';
import { readConfig } from '../runtime/config';
import { openLive } from '../runtime/environment';
import { createLogger } from '../runtime/process';
import { readBankTable } from './bank-table';
import { processSettings } from './process-settings';
import { StartError } from './project';

interface Lists {
  ours: readonly Bank[];
  listed: readonly ListedBank[];
}

/** Our list is that of `--with`, or the short one. */
const ofFile = (file: string, ours: readonly Bank[]): Lists => ({
  ours,
  listed: file.toLowerCase().endsWith('.csv') ? readBankTable(file) : readBanks(file),
});

async function ofCompany(name: string, own: readonly Bank[] | null): Promise<Lists> {
  const config = readConfig(processSettings('api'));
  const live = openLive(config, createLogger(config, 'banks'), 'api');
  try {
    const { payouts } = live.providers;
    const company = payouts.find((one) => one.name === name)?.payouts;
    const listing = payouts.filter((one) => one.payouts.listed).map((one) => one.name);
    if (!company?.listed) {
      throw new StartError(
        `--from: is neither a file nor a company of LIVE_PAYOUTS that lists its banks (${listing.join(', ') || 'none'})`,
      );
    }
    return { ours: own ?? (await live.banks.list()), listed: await company.listed() };
  } finally {
    await live.close();
  }
}

const bankLine = ({ code, nipCode, name }: Bank): string => `${code} ${nipCode ?? 'no NIP code'} ${name}`;

function tell({ banks, added, untold, differing, named }: ComparedBanks): void {
  const lines = [
    ...added.map((bank) => `new      ${bankLine(bank)}`),
    ...differing.map((words) => `differs  ${words}`),
    ...named.map((words) => `named    ${words}`),
    ...untold.map((bank) => `untold   ${bankLine(bank)}`),
    `${String(banks.length)} banks, ${String(added.length)} of them new; ${String(differing.length)} differ, ${String(untold.length)} are not told there and stay`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const toRow = ({ code, nipCode, name, slug, aliases, formerCodes, companyCodes }: Bank) => ({
  code,
  nip_code: nipCode,
  name,
  slug,
  aliases,
  former_codes: formerCodes,
  company_codes: companyCodes,
});

const program = new Command('npm run banks --')
  .description('Compares our list of banks with another one, and writes both together.')
  .requiredOption(
    '--from <list>',
    'a file of banks (JSON or CSV), or the name of a company that pays out in live',
  )
  .option(
    '--with <file>',
    'our list; without it the one of BANKS_FILE for a company, and the short list for a file',
  )
  .option('--to <file>', 'where the list is written; nowhere without it')
  .action(async (asked: { from: string; with?: string; to?: string }) => {
    const own = asked.with === undefined ? null : readBanks(asked.with);
    const isFile = existsSync(asked.from);
    const { ours, listed } = isFile
      ? ofFile(asked.from, own ?? SEED_BANKS)
      : await ofCompany(asked.from, own);
    const compared = compareBanks(ours, listed, isFile ? null : asked.from);
    tell(compared);
    if (asked.to !== undefined) {
      writeFileSync(asked.to, `${JSON.stringify(compared.banks.map(toRow), null, 2)}\n`);
      readBanks(asked.to);
    }
    if (compared.differing.length > 0) process.exitCode = 1;
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
