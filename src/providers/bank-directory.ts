/**
 * The directory of banks: the short list in the code, or the whole list of an operator's file, read once
 * at start so that a broken file stops the start and not a transfer.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findBank, SANDBOX_MFB, SEED_BANKS, sortBanks, type Bank } from '../domain/banks';

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

/** More lines than this say nothing new about what is wrong with a file. */
const PROBLEMS_SHOWN = 5;

export interface BankDirectory {
  /** Every bank, by name without regard to case (D144). */
  list(): readonly Bank[];
  /** The bank with this code, else with this NIP code (D161); undefined for an unknown one. */
  find(bankCode: string): Bank | undefined;
}

/**
 * Opens the directory.
 * @param options.banksFile a JSON list of `{ code, nip_code?, name, slug }` in place of the short list.
 * @param options.includesSandboxMfb whether the bank of sandbox accounts is a destination (D62).
 * @throws Error naming the file and what is wrong with it, when it cannot be read or used.
 */
export function createBankDirectory(options: {
  banksFile?: string | undefined;
  includesSandboxMfb: boolean;
}): BankDirectory {
  const known = options.banksFile === undefined ? SEED_BANKS : readBanks(options.banksFile);
  const banks = options.includesSandboxMfb ? withSandboxMfb(known) : known;
  const sorted = Object.freeze(sortBanks(banks));
  return {
    list: () => sorted,
    find: (bankCode) => findBank(sorted, bankCode),
  };
}

/** Our own bank stands alone under its codes: a file that lists them too must not hide it. */
function withSandboxMfb(banks: readonly Bank[]): Bank[] {
  const { code, name, slug, nipCode } = SANDBOX_MFB;
  const others = banks.filter((bank) => bank.code !== code && bank.nipCode !== nipCode);
  return [...others, { code, name, slug, nipCode }];
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
