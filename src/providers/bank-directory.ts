/**
 * The directory of banks: the short list in the code or the whole list of an operator's file, with the banks that
 * a provider adds to it. The file is read once at start, so that a broken file stops the start and not a transfer.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { BANK_CODE, NIP_CODE } from '../domain/bank-lists';
import { findBank, SEED_BANKS, sortBanks, type Bank } from '../domain/banks';
import { remember } from '../runtime/remember';
import { UnavailableError } from '../runtime/unavailable';
import type { Banks } from './port';

const code = z.string().regex(BANK_CODE, '3 to 8 letters or digits');
const bankRow = z.object({
  code,
  nip_code: z.string().regex(NIP_CODE, '6 digits').nullish(),
  name: z.string().trim().min(1).max(200),
  slug: z.string().trim().min(1).max(200),
  aliases: z.array(z.string().trim().min(1).max(200)).max(20).optional(),
  former_codes: z.array(code).max(20).optional(),
});
/** A code means one bank: an own code, one of NIP, and one that a bank has had. A code of NIP may be another bank's own (D161). */
const bankFile = z
  .array(bankRow)
  .min(1)
  .superRefine((rows, context) => {
    const seen = { code: new Set<string>(), nip_code: new Set<string>(), slug: new Set<string>() };
    const refuseTwice = (path: (string | number)[], value: string): void =>
      context.addIssue({ code: 'custom', path, message: `${value} is there twice` });
    for (const [row, bank] of rows.entries()) {
      for (const name of ['code', 'nip_code', 'slug'] as const) {
        const value = bank[name];
        if (value == null) continue;
        if (seen[name].has(value)) refuseTwice([row, name], value);
        seen[name].add(value);
      }
    }
    const taken = new Set([...seen.code, ...seen.nip_code]);
    for (const [row, { former_codes: formerCodes = [] }] of rows.entries()) {
      for (const [place, former] of formerCodes.entries()) {
        if (taken.has(former)) refuseTwice([row, 'former_codes', place], former);
        taken.add(former);
      }
    }
  });

/** How many problems of a file are named. Further ones are seldom of another kind. */
const PROBLEMS_SHOWN = 5;

/** The provider is asked for its list again after this time. */
const LIST_KNOWN_MS = 3_600_000;

/** Both look-ups fail, as an outage, while the provider that adds banks cannot be asked for its list. */
export interface BankDirectory {
  /** Every bank, by name without regard to case (D144). */
  list(): Promise<readonly Bank[]>;
  /** The bank with this code, else with this NIP code (D161); undefined for an unknown one. */
  find(bankCode: string): Promise<Bank | undefined>;
}

/**
 * Opens the directory.
 * @param options.banksFile a JSON list of `{ code, nip_code?, name, slug, aliases?, former_codes? }` in place of the short list.
 * @param options.added the provider that knows more banks (D62: the sandbox bank); null where there is none.
 * @throws Error naming the file and what is wrong with it, when it cannot be read or used.
 */
export function createBankDirectory(options: {
  banksFile?: string | undefined;
  added: Banks | null;
}): BankDirectory {
  const own = options.banksFile === undefined ? SEED_BANKS : readBanks(options.banksFile);
  const all = remember(LIST_KNOWN_MS, async () => {
    const added = options.added ? await options.added.list().catch(cannotBeAsked) : [];
    return Object.freeze(sortBanks(withAdded(own, added)));
  });
  return {
    list: () => all(''),
    find: async (bankCode) => findBank(await all(''), bankCode),
  };
}

function cannotBeAsked(cause: unknown): never {
  throw new UnavailableError('the list of banks cannot be asked for', { cause });
}

/** An added bank replaces the banks of the file that have one of its codes, so that the file cannot hide it. */
function withAdded(own: readonly Bank[], added: readonly Bank[]): Bank[] {
  const codes = new Set(added.map(({ code }) => code));
  const nipCodes = new Set(added.map(({ nipCode }) => nipCode).filter((nipCode) => nipCode !== null));
  const others = own.filter(
    ({ code, nipCode }) => !codes.has(code) && !(nipCode !== null && nipCodes.has(nipCode)),
  );
  return [...others, ...added];
}

/** Reads a file of banks. @throws Error naming the file and each row that is wrong, when it cannot be read or used. */
export function readBanks(banksFile: string): Bank[] {
  const parsed = bankFile.safeParse(readJson(banksFile));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `  ${path.join('.') || 'file'}: ${message}`,
    );
    const more = problems.length > PROBLEMS_SHOWN ? `\n  and ${problems.length - PROBLEMS_SHOWN} more` : '';
    throw new Error(`BANKS_FILE ${banksFile}:\n${problems.slice(0, PROBLEMS_SHOWN).join('\n')}${more}`);
  }
  return parsed.data.map(({ nip_code: nipCode, former_codes: formerCodes, aliases, ...bank }) => ({
    ...bank,
    nipCode: nipCode ?? null,
    ...(aliases && { aliases }),
    ...(formerCodes && { formerCodes }),
  }));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`BANKS_FILE ${file} cannot be read as JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
