/** What another list of banks says beside ours. Nothing of it removes a bank or changes a code: people decide that. */
import { bankAt, bankWritten, findBank, LISTING_COMPANIES, type Bank } from './banks';
import { folded } from './plain-text';

/** A bank as a company lists it. */
export interface ListedBank {
  code: string;
  nipCode: string | null;
  name: string;
}

/** A bank that was on a company's list and is remembered. */
export interface RememberedBank extends ListedBank {
  company: string;
}

export interface ComparedBanks {
  /** Ours, and after them those that the other list alone has. */
  banks: Bank[];
  added: Bank[];
  /** Ours that the other list does not have. They stay. */
  untold: Bank[];
  /** Those of the other list that cannot be taken over as they are, in words. */
  differing: string[];
  /** Those that the company calls by a name that is none of ours, in words. They are the same bank. */
  named: string[];
}

/** What a code is, and one of NIP: the same as in a file of banks. */
export const BANK_CODE = /^[A-Za-z0-9]{3,8}$/;
export const NIP_CODE = /^[0-9]{6}$/;
/** The longest name of a bank, in characters. */
export const BANK_NAME_MAX = 200;

/** Whether a listed bank can be one of ours as it is. */
export const isWhole = ({ code, nipCode, name }: ListedBank): boolean =>
  BANK_CODE.test(code) &&
  (nipCode === null || NIP_CODE.test(nipCode)) &&
  name.trim() !== '' &&
  name.length <= BANK_NAME_MAX;

/**
 * Compares our banks with another list: a bank is the same where its code, or its code of NIP, is.
 * @param company whose list it is. Its codes are then its own: where a code is another bank's with us, or a name is a bank's of ours
 * that has another code, that differs, and is not added. Without it the codes are CBN's, as in a file.
 */
export function compareBanks(
  ours: readonly Bank[],
  listed: readonly ListedBank[],
  company: string | null = null,
): ComparedBanks {
  const banks = [...ours];
  const told = new Set<string>();
  const added: Bank[] = [];
  const differing: string[] = [];
  const named: string[] = [];
  for (const one of listed) {
    const found = compareOne(banks, one, company);
    differing.push(...found.differing);
    if (found.own) {
      const { own } = found;
      told.add(own.code);
      if (found.now) banks[banks.indexOf(own)] = found.now;
      if (company !== null && !isCalled(own, one.name))
        named.push(`${own.code} ${own.name} is called ${one.name} there`);
    } else if (found.now) {
      banks.push(found.now);
      added.push(found.now);
    }
  }
  return { banks, added, untold: ours.filter(({ code }) => !told.has(code)), differing, named };
}

interface Compared {
  /** The bank of ours that it is; null where it is none. */
  own: Bank | null;
  /** What is to stand in our list: a new bank, or ours with what is now known of it; null for no change. */
  now: Bank | null;
  differing: string[];
}

function compareOne(banks: readonly Bank[], one: ListedBank, company: string | null): Compared {
  const own =
    (company === null ? findBank(banks, one.code) : bankAt(banks, company, one.code)) ??
    (one.nipCode === null ? undefined : findBank(banks, one.nipCode));
  if (own) return compareSame(own, one, company);
  const differs = (...differing: string[]): Compared => ({ own: null, now: null, differing });
  if (!isWhole(one)) {
    if (one.name.trim() === '' || one.name.length > BANK_NAME_MAX)
      return differs(`${one.code} has no name that can be kept`);
    return differs(`${one.name} has a code that is none: ${one.code}, ${one.nipCode ?? 'none of NIP'}`);
  }
  if (company === null) return { own: null, now: { ...one, slug: freeSlug(banks, one) }, differing: [] };
  const taken = findBank(banks, one.code);
  if (taken) {
    if (taken.companyCodes?.[company] === null && isCalled(taken, one.name))
      return { own: taken, now: withCode(taken, company, one.code), differing: [] };
    return differs(`${one.code} is ${taken.name} with us, and ${one.name} there`);
  }
  const namesake = bankWritten(banks, one.name);
  if (namesake) return differs(`${one.name} has the code ${namesake.code} with us, and there ${one.code}`);
  // Nobody knows whether the code means the same bank at another company, so nothing is sent there by it.
  const companyCodes = Object.fromEntries(
    LISTING_COMPANIES.map((name) => [name, name === company ? one.code : null]),
  );
  return { own: null, now: { ...one, slug: freeSlug(banks, one), companyCodes }, differing: [] };
}

function compareSame(own: Bank, one: ListedBank, company: string | null): Compared {
  const differing: string[] = [];
  const same = `${own.code} ${own.name}`;
  if (one.nipCode !== null && own.nipCode !== null && !knows(own, one.nipCode))
    differing.push(`${same} has the NIP code ${own.nipCode}, and there ${one.nipCode}`);
  const code = company === null ? undefined : own.companyCodes?.[company];
  if (typeof code === 'string' && code !== one.code)
    differing.push(`${same} has the code ${code} there by our list, and ${one.code} by theirs`);
  const isNew = code === null && company !== null && differing.length === 0 && BANK_CODE.test(one.code);
  return { own, now: isNew ? withCode(own, company, one.code) : null, differing };
}

const withCode = (bank: Bank, company: string, code: string): Bank => ({
  ...bank,
  companyCodes: { ...bank.companyCodes, [company]: code },
});

const isCalled = (bank: Bank, name: string): boolean => bankWritten([bank], name) !== undefined;

/**
 * Our banks with those that companies have listed, in the order in which they were first listed, so that a bank that was added once
 * never becomes another one by what is added later.
 */
export function withRemembered(ours: readonly Bank[], remembered: readonly RememberedBank[]): Bank[] {
  let banks = [...ours];
  let from = 0;
  while (from < remembered.length) {
    const { company } = remembered[from] as RememberedBank;
    const end = remembered.findIndex((one, at) => at > from && one.company !== company);
    const next = end === -1 ? remembered.length : end;
    banks = compareBanks(banks, remembered.slice(from, next), company).banks;
    from = next;
  }
  return banks;
}

const knows = ({ code, nipCode, formerCodes = [] }: Bank, asked: string): boolean =>
  [code, nipCode, ...formerCodes].includes(asked);

/** A bank's name as a slug: plain small letters and digits with hyphens; empty where it has none. */
export const slugOf = (name: string): string =>
  folded(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function freeSlug(banks: readonly Bank[], { code, name }: ListedBank): string {
  const slug = slugOf(name);
  return slug === '' || banks.some((bank) => bank.slug === slug) ? `${slug}-${code}`.replace(/^-/, '') : slug;
}
