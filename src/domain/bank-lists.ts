/** What another list of banks says beside ours. Nothing of it removes a bank or changes a code: people decide that. */
import { findBank, type Bank } from './banks';

/** A bank as a company lists it. */
export interface ListedBank {
  code: string;
  nipCode: string | null;
  name: string;
}

export interface ComparedBanks {
  /** Ours, and after them those that the other list alone has. */
  banks: Bank[];
  added: Bank[];
  /** Ours that the other list does not have. They stay. */
  untold: Bank[];
  /** Those of the other list that cannot be taken over as they are, in words. */
  differing: string[];
}

/** What a code is, and one of NIP: the same as in a file of banks. */
export const BANK_CODE = /^[A-Za-z0-9]{3,8}$/;
export const NIP_CODE = /^[0-9]{6}$/;

/** Compares our banks with another list: a bank is the same where its code, or its code of NIP, is. */
export function compareBanks(ours: readonly Bank[], listed: readonly ListedBank[]): ComparedBanks {
  const banks = [...ours];
  const told = new Set<Bank>();
  const added: Bank[] = [];
  const differing: string[] = [];
  for (const one of listed) {
    const own =
      findBank(banks, one.code) ?? (one.nipCode === null ? undefined : findBank(banks, one.nipCode));
    if (own) {
      told.add(own);
      if (one.nipCode !== null && own.nipCode !== null && !knows(own, one.nipCode))
        differing.push(`${own.code} ${own.name} has the NIP code ${own.nipCode}, and there ${one.nipCode}`);
      continue;
    }
    if (!BANK_CODE.test(one.code) || (one.nipCode !== null && !NIP_CODE.test(one.nipCode))) {
      differing.push(`${one.name} has a code that is none: ${one.code}, ${one.nipCode ?? 'none of NIP'}`);
      continue;
    }
    const bank = { ...one, slug: freeSlug(banks, one) };
    banks.push(bank);
    added.push(bank);
  }
  return { banks, added, untold: ours.filter((bank) => !told.has(bank)), differing };
}

const knows = ({ code, nipCode, formerCodes = [] }: Bank, asked: string): boolean =>
  [code, nipCode, ...formerCodes].includes(asked);

function freeSlug(banks: readonly Bank[], { code, name }: ListedBank): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' || banks.some((bank) => bank.slug === slug) ? `${slug}-${code}`.replace(/^-/, '') : slug;
}
