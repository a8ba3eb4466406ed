/**
 * The directory of banks: the short list in the code or the whole list of an operator's file, with the banks that
 * a provider adds to it. The file is read once at start, so that a broken file stops the start and not a transfer.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  BANK_CODE,
  BANK_NAME_MAX,
  NIP_CODE,
  withRemembered,
  type RememberedBank,
} from '../domain/bank-lists';
import { bankAt, findBank, LISTING_COMPANIES, SEED_BANKS, sortBanks, type Bank } from '../domain/banks';
import { remember } from '../runtime/remember';
import { UnavailableError } from '../runtime/unavailable';
import type { Banks } from './port';

const code = z.string().regex(BANK_CODE, '3 to 8 letters or digits');
const bankRow = z.object({
  code,
  nip_code: z.string().regex(NIP_CODE, '6 digits').nullish(),
  name: z.string().trim().min(1).max(BANK_NAME_MAX),
  slug: z.string().trim().min(1).max(200),
  aliases: z.array(z.string().trim().min(1).max(200)).max(20).optional(),
  former_codes: z.array(code).max(20).optional(),
  company_codes: z.partialRecord(z.enum(LISTING_COMPANIES), code.nullable()).optional(),
});
/**
 * A code means one bank: an own code, one of NIP, and one that a bank has had. A code of NIP may be another bank's own (D161), and
 * so may a company's code, where the company has another one for that bank.
 */
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
    for (const company of LISTING_COMPANIES) {
      const usual = new Set(
        rows.flatMap((bank) =>
          bank.company_codes?.[company] === undefined ? [bank.code, bank.nip_code ?? bank.code] : [],
        ),
      );
      for (const [row, { company_codes: codes }] of rows.entries()) {
        const own = codes?.[company];
        if (own == null) continue;
        if (usual.has(own)) refuseTwice([row, 'company_codes', company], own);
        usual.add(own);
      }
    }
  });

/** How many problems of a file are named. Further ones are seldom of another kind. */
const PROBLEMS_SHOWN = 5;

/** The list is made anew after this time: the provider that adds banks is asked, and what was remembered is read. */
const LIST_KNOWN_MS = 300_000;
/** A code that no bank has is looked for in a list that is no older than this, because another process may know the bank. */
const MISS_KNOWN_MS = 5_000;

/** All look-ups fail, as an outage, while the provider that adds banks, or Postgres, cannot be asked. */
export interface BankDirectory {
  /** Every bank, by name without regard to case (D144). */
  list(): Promise<readonly Bank[]>;
  /** The same as it is at this moment. */
  listNow(): Promise<readonly Bank[]>;
  /**
   * The bank with this code, else with this NIP code (D161); undefined for an unknown one.
   * @param company whose own code it is, where a company has told it.
   */
  find(bankCode: string, company?: string): Promise<Bank | undefined>;
}

/**
 * Opens the directory.
 * @param options.banksFile a JSON list of `{ code, nip_code?, name, slug, aliases?, former_codes?, company_codes? }` in place of the short list.
 * @param options.added the provider that knows more banks (D62: the sandbox bank); null where there is none.
 * @param options.remembered reads the banks that companies have listed, which come after those of the list; null where none are kept.
 * @throws Error naming the file and what is wrong with it, when it cannot be read or used.
 */
export function createBankDirectory(options: {
  banksFile?: string | undefined;
  added: Banks | null;
  remembered?: (() => Promise<RememberedBank[]>) | null;
}): BankDirectory {
  const own = options.banksFile === undefined ? SEED_BANKS : readBanks(options.banksFile);
  const { added, remembered } = options;
  const listNow = async (): Promise<readonly Bank[]> => {
    const ours = withAdded(own, added ? await added.list().catch(cannotBeAsked) : []);
    const listed = remembered ? await remembered().catch(cannotBeAsked) : [];
    return Object.freeze(sortBanks(withRemembered(ours, listed)));
  };
  const all = remember(LIST_KNOWN_MS, listNow);
  const onMiss = remember(MISS_KNOWN_MS, listNow);
  const found = (banks: readonly Bank[], bankCode: string, company?: string): Bank | undefined =>
    company === undefined ? findBank(banks, bankCode) : bankAt(banks, company, bankCode);
  // A list in which a bank was missed is not used any more, so that whoever was told of the bank also finds it on the list.
  let edition = 0;
  const current = (): Promise<readonly Bank[]> => all(String(edition));
  return {
    list: current,
    listNow,
    async find(bankCode, company) {
      const known = found(await current(), bankCode, company);
      if (known || !remembered) return known;
      const missed = found(await onMiss(''), bankCode, company);
      if (missed) edition += 1;
      return missed;
    },
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
export const readBanks = (banksFile: string): Bank[] => {
  const what = `BANKS_FILE ${banksFile}`;
  return banksIn(readJson(banksFile, what), what);
};

/** The banks of the rows of a file. @throws Error that begins with `what` and names each row that is wrong. */
export function banksIn(rows: unknown, what: string): Bank[] {
  const parsed = bankFile.safeParse(rows);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `  ${path.join('.') || 'file'}: ${message}`,
    );
    const more = problems.length > PROBLEMS_SHOWN ? `\n  and ${problems.length - PROBLEMS_SHOWN} more` : '';
    throw new Error(`${what}:\n${problems.slice(0, PROBLEMS_SHOWN).join('\n')}${more}`);
  }
  return parsed.data.map(
    ({ nip_code: nipCode, former_codes: formerCodes, company_codes: companyCodes, aliases, ...bank }) => ({
      ...bank,
      nipCode: nipCode ?? null,
      ...(aliases && { aliases }),
      ...(formerCodes && { formerCodes }),
      ...(companyCodes && { companyCodes }),
    }),
  );
}

function readJson(file: string, what: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${what} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
}
