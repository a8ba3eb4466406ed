/**
 * The directory of banks: the short list in the code or the whole list of an operator's file, with the banks that
 * a provider adds to it. The file is read once at start, so that a broken file stops the start and not a transfer.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findBank, SEED_BANKS, sortBanks, type Bank } from '../domain/banks';
import { remember } from '../runtime/remember';
import { UnavailableError } from '../runtime/unavailable';
import type { Banks } from './port';

const bankRow = z.object({
  code: z.string().regex(/^[A-Za-z0-9]{3,8}$/, '3 to 8 letters or digits'),
  nip_code: z
    .string()
    .regex(/^[0-9]{6}$/, '6 digits')
    .nullish(),
  name: z.string().trim().min(1).max(200),
  slug: z.string().trim().min(1).max(200),
});
const bankFile = z
  .array(bankRow)
  .min(1)
  .superRefine((rows, context) => {
    const seen = new Set<string>();
    rows.forEach(({ code }, row) => {
      if (seen.has(code))
        context.addIssue({ code: 'custom', path: [row, 'code'], message: `${code} is there twice` });
      seen.add(code);
    });
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
 * @param options.banksFile a JSON list of `{ code, nip_code?, name, slug }` in place of the short list.
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

function readBanks(banksFile: string): Bank[] {
  const parsed = bankFile.safeParse(readJson(banksFile));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `  ${path.join('.') || 'file'}: ${message}`,
    );
    const more = problems.length > PROBLEMS_SHOWN ? `\n  and ${problems.length - PROBLEMS_SHOWN} more` : '';
    throw new Error(`BANKS_FILE ${banksFile}:\n${problems.slice(0, PROBLEMS_SHOWN).join('\n')}${more}`);
  }
  return parsed.data.map(({ code, nip_code: nipCode, name, slug }) => ({
    code,
    name,
    slug,
    nipCode: nipCode ?? null,
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
