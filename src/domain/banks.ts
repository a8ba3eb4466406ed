/**
 * The banks and wallets that money can be sent to. A bank has a code (CBN's, or one that a payment provider has
 * made up) and most often the six digits by which NIP knows it. Partners may use either.
 */
import { folded } from './plain-text';
import { refuse, type Refused } from './outcome';

export interface Bank {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
  /** The institution code on NIP; null when unknown (D159). */
  readonly nipCode: string | null;
  /** Short forms and other names under which companies write the bank: `UBA`, `GTBank`. */
  readonly aliases?: readonly string[];
  /** Codes that the bank has had, and that still mean it. */
  readonly formerCodes?: readonly string[];
  /**
   * The code by which a company knows the bank, by the company's name, where it is not `code`; null where the company
   * is not known to have the bank, so that nothing goes there through it.
   */
  readonly companyCodes?: Readonly<Record<string, string | null>>;
}

/** The companies with a list of banks of their own, whose codes may be others than CBN's. */
export const LISTING_COMPANIES = ['paystack', 'monnify'] as const;

/**
 * The made-up bank that issues sandbox accounts: its codes are in no published list, so a sandbox account number
 * cannot be mistaken for a real one. Its check digits are computed with `nubanCode`.
 */
export const SANDBOX_MFB = {
  code: '50999',
  name: 'Sandbox Microfinance Bank',
  slug: 'sandbox-microfinance-bank',
  nipCode: '999509',
  nubanCode: '950999',
} as const satisfies Bank & { nubanCode: string };

/** Whether an account at the bank with this code is a wallet of the sandbox. */
export const isSandboxMfb = (bankCode: string): boolean =>
  bankCode === SANDBOX_MFB.code || bankCode === SANDBOX_MFB.nipCode;

/**
 * The banks that are known when no file of banks is set: commercial banks and the largest wallets, with the short forms by which
 * companies' lists write them.
 */
export const SEED_BANKS: readonly Bank[] = [
  { code: '044', name: 'Access Bank', slug: 'access-bank', nipCode: '000014' },
  { code: '023', name: 'Citibank Nigeria', slug: 'citibank-nigeria', nipCode: '000009' },
  { code: '050', name: 'Ecobank Nigeria', slug: 'ecobank-nigeria', nipCode: '000010' },
  { code: '070', name: 'Fidelity Bank', slug: 'fidelity-bank', nipCode: '000007' },
  {
    code: '011',
    name: 'First Bank of Nigeria',
    slug: 'first-bank-of-nigeria',
    nipCode: '000016',
    aliases: ['First Bank', 'FBN'],
  },
  {
    code: '214',
    name: 'First City Monument Bank',
    slug: 'first-city-monument-bank',
    nipCode: '000003',
    aliases: ['FCMB'],
  },
  { code: '00103', name: 'Globus Bank', slug: 'globus-bank', nipCode: '000027' },
  {
    code: '058',
    name: 'Guaranty Trust Bank',
    slug: 'guaranty-trust-bank',
    nipCode: '000013',
    aliases: ['GTBank', 'GTB'],
  },
  { code: '301', name: 'Jaiz Bank', slug: 'jaiz-bank', nipCode: '000006' },
  { code: '082', name: 'Keystone Bank', slug: 'keystone-bank', nipCode: '000002' },
  { code: '303', name: 'Lotus Bank', slug: 'lotus-bank', nipCode: '000029' },
  { code: '076', name: 'Polaris Bank', slug: 'polaris-bank', nipCode: '000008' },
  { code: '105', name: 'PremiumTrust Bank', slug: 'premiumtrust-bank-ng', nipCode: '000031' },
  { code: '101', name: 'Providus Bank', slug: 'providus-bank', nipCode: '000023' },
  {
    code: '221',
    name: 'Stanbic IBTC Bank',
    slug: 'stanbic-ibtc-bank',
    nipCode: '000012',
    aliases: ['Stanbic IBTC'],
  },
  {
    code: '068',
    name: 'Standard Chartered Bank',
    slug: 'standard-chartered-bank',
    nipCode: '000021',
    aliases: ['StanChart'],
  },
  { code: '232', name: 'Sterling Bank', slug: 'sterling-bank', nipCode: '000001' },
  {
    code: '100',
    name: 'Suntrust Bank',
    slug: 'suntrust-bank',
    nipCode: '000022',
    aliases: ['SunTrust Bank'],
  },
  { code: '302', name: 'TAJ Bank', slug: 'taj-bank', nipCode: '000026' },
  { code: '102', name: 'Titan Bank', slug: 'titan-bank', nipCode: '000025' },
  {
    code: '032',
    name: 'Union Bank of Nigeria',
    slug: 'union-bank-of-nigeria',
    nipCode: '000018',
    aliases: ['Union Bank'],
  },
  {
    code: '033',
    name: 'United Bank For Africa',
    slug: 'united-bank-for-africa',
    nipCode: '000004',
    aliases: ['UBA'],
  },
  { code: '215', name: 'Unity Bank', slug: 'unity-bank', nipCode: '000011' },
  { code: '035', name: 'Wema Bank', slug: 'wema-bank', nipCode: '000017' },
  { code: '057', name: 'Zenith Bank', slug: 'zenith-bank', nipCode: '000015' },
  { code: '50211', name: 'Kuda Bank', slug: 'kuda-bank', nipCode: '090267', aliases: ['Kuda'] },
  {
    code: '50515',
    name: 'Moniepoint MFB',
    slug: 'moniepoint-mfb-ng',
    nipCode: '090405',
    aliases: ['Moniepoint'],
  },
  {
    code: '999992',
    name: 'OPay Digital Services Limited (OPay)',
    slug: 'paycom',
    nipCode: '100004',
    aliases: ['OPay'],
  },
  { code: '999991', name: 'PalmPay', slug: 'palmpay', nipCode: '100033' },
  { code: '566', name: 'VFD Microfinance Bank Limited', slug: 'vfd', nipCode: '090110', aliases: ['VFD'] },
  {
    code: '120003',
    name: 'MTN Momo PSB',
    slug: 'mtn-momo-psb-ng',
    nipCode: '120003',
    aliases: ['MTN Momo', 'Momo PSB'],
  },
  {
    code: '120004',
    name: 'Airtel Smartcash PSB',
    slug: 'airtel-smartcash-psb-ng',
    nipCode: '120004',
    aliases: ['SmartCash PSB'],
  },
  {
    code: '120001',
    name: '9mobile 9Payment Service Bank',
    slug: '9mobile-9payment-service-bank-ng',
    nipCode: '120001',
  },
];

/**
 * The bank a partner means by `bankCode`: the one with that code, else the one with that NIP code (D161), else the one that has
 * had it.
 */
export function findBank(banks: readonly Bank[], bankCode: string): Bank | undefined {
  return (
    banks.find((bank) => bank.code === bankCode) ??
    banks.find((bank) => bank.nipCode === bankCode) ??
    banks.find((bank) => bank.formerCodes?.includes(bankCode))
  );
}

/** The code by which a company knows a bank: the company's own one, else the bank's; null where it does not have the bank. */
export function codeAt({ code, companyCodes }: Bank, company: string): string | null {
  const own = companyCodes?.[company];
  return own === undefined ? code : own;
}

/**
 * The bank that a company means by a code. A bank for which the company has a code of its own, or which it does not have, is not
 * meant by its usual code: that is another bank there. A code of NIP is the same everywhere.
 */
export function bankAt(banks: readonly Bank[], company: string, code: string): Bank | undefined {
  return (
    banks.find(({ companyCodes }) => companyCodes?.[company] === code) ??
    findBank(
      banks.filter(({ companyCodes, nipCode }) => companyCodes?.[company] === undefined || nipCode === code),
      code,
    )
  );
}

const codesOf = ({ code, nipCode, formerCodes = [] }: Bank): string[] =>
  nipCode === null ? [code, ...formerCodes] : [code, nipCode, ...formerCodes];

/**
 * The bank that somebody may have meant by a code that is none: without the zeros in front, with one character wrong,
 * missing or too much, or by its name in the place of the code. Where several fit, it is none. It is a hint alone: no money goes
 * by it.
 */
export function nearestBank(banks: readonly Bank[], bankCode: string): Bank | undefined {
  const bare = (code: string): string => code.replace(/^0+/, '').toUpperCase();
  const only = (fits: (code: string) => boolean): Bank | undefined => {
    const found = banks.filter((bank) => codesOf(bank).some(fits));
    return found.length === 1 ? found[0] : undefined;
  };
  const asked = bankCode.trim();
  return (
    only((code) => bare(code) !== '' && bare(code) === bare(asked)) ??
    bankWritten(banks, asked) ??
    only((code) => isOneOff(code, asked))
  );
}

/** Whether one text becomes the other by one character that is changed, added or left out. */
function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [left, right] = [one.slice(start), other.slice(start)];
  if (left.length === right.length) return left.slice(1) === right.slice(1);
  return left.length > right.length ? left.slice(1) === right : left === right.slice(1);
}

/** INVALID_BANK_CODE with the code that no bank has, and the bank that was meant, if there is one that is near. */
export function unknownBank(banks: readonly Bank[], bankCode: string): Refused {
  const near = nearestBank(banks, bankCode);
  return refuse('INVALID_BANK_CODE', {
    detail: {
      field: 'dest_account.bank_code',
      bank_code: bankCode,
      nearest: near ? { code: near.code, name: near.name } : null,
    },
  });
}

/** Words of a bank's name that one company writes and another leaves out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'THE',
  'OF',
  'FOR',
  'AND',
  'BANK',
  'PLC',
  'LTD',
  'LIMITED',
  'NIGERIA',
  'NIG',
  'NG',
]);
/** Words that are written in two ways. */
const SAME_WORDS: Readonly<Record<string, string>> = { MFB: 'MICROFINANCE', MICROFIN: 'MICROFINANCE' };

/** A bank's name without what is written in different ways: case, accents, punctuation, and the words of every bank. */
function foldedBankName(name: string): string {
  const plain = folded(name).toUpperCase();
  const words = plain.replace(/MICRO[ -]FINANCE/gu, 'MICROFINANCE').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .map((word) => SAME_WORDS[word] ?? word)
    .filter((word) => !LEFT_OUT.has(word))
    .join('');
}

const namesOf = ({ name, aliases = [] }: Bank): string[] => [name, ...aliases];

/** To fold a name takes longer than everything else of a comparison, and lists are compared row by row. */
const foldedNames = new WeakMap<Bank, readonly string[]>();
function foldedNamesOf(bank: Bank): readonly string[] {
  const known = foldedNames.get(bank) ?? namesOf(bank).map(foldedBankName);
  foldedNames.set(bank, known);
  return known;
}

/**
 * The bank that a company means by what it writes: a code or a slug first, then the name as it is, then the name without what
 * is written in different ways. Where that fits several banks, it is none: money is never booked by a guess.
 */
export function bankWritten(banks: readonly Bank[], written: string): Bank | undefined {
  const asked = written.trim();
  const lower = asked.toLowerCase();
  const exact =
    findBank(banks, asked) ??
    banks.find(({ slug }) => slug === lower) ??
    banks.find((bank) => namesOf(bank).some((name) => name.toLowerCase() === lower));
  if (exact) return exact;
  const folded = foldedBankName(asked);
  const alike = folded === '' ? [] : banks.filter((bank) => foldedNamesOf(bank).includes(folded));
  return alike.length === 1 ? alike[0] : undefined;
}

/** The banks in the order of `GET /v1/banks`: by name, without regard to case (D144, D164). */
export function sortBanks(banks: readonly Bank[]): Bank[] {
  const keyed = banks.map((bank) => ({ bank, key: bank.name.toLowerCase() }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ bank }) => bank);
}
