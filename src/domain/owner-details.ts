/**
 * What companies demand of the owner of a wallet before they open an account or check a number, and what of it a partner has
 * told in the wallet's metadata (D27).
 */
import { textIn, type Metadata } from './wallets';

/** What a partner may say about the owner of a wallet in its metadata, for companies that ask for it. */
const OWNER_DETAILS = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  phone: 'phone',
};
export type OwnerDetail = keyof typeof OWNER_DETAILS;

/** What a company may miss before it opens an account: details of the metadata, or a number that a bureau has verified. */
export type NeededDetail = OwnerDetail | 'identity';

/** The names under which partners and operators read what is missing; never a value. */
export const fieldOf = (detail: NeededDetail): string =>
  detail === 'identity' ? 'verified_bvn_or_nin' : `metadata.${OWNER_DETAILS[detail]}`;

/** All such names. */
export const DETAIL_FIELDS: readonly string[] = [
  ...(Object.keys(OWNER_DETAILS) as OwnerDetail[]),
  'identity' as const,
].map(fieldOf);

/** What is missing, in words for operators. */
export function missingWords(details: readonly NeededDetail[]): string {
  const fields = details.flatMap((detail) => (detail === 'identity' ? [] : [OWNER_DETAILS[detail]]));
  const missing = [
    ...(fields.length > 0 ? [`its metadata lacks ${fields.join(', ')}`] : []),
    ...(details.includes('identity') ? ['its owner has no verified BVN or NIN'] : []),
  ];
  return missing.join(', and ');
}

/** Whatever else it may be: a company turns an address without these away, and the wallet would wait for ever. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The details of the owner that the metadata has; null for one that is missing, and for what is no email address. */
export const ownerDetailsIn = (metadata: Metadata): Record<OwnerDetail, string | null> => {
  const email = textIn(metadata, OWNER_DETAILS.email);
  return {
    firstName: textIn(metadata, OWNER_DETAILS.firstName) || null,
    lastName: textIn(metadata, OWNER_DETAILS.lastName) || null,
    email: EMAIL.test(email) ? email : null,
    phone: textIn(metadata, OWNER_DETAILS.phone) || null,
  };
};

/** What of the demands of one company is not there. */
export const lackingOf = (
  demands: readonly NeededDetail[],
  owner: Record<OwnerDetail, string | null>,
  isIdentified: boolean,
): NeededDetail[] =>
  demands.filter((detail) => (detail === 'identity' ? !isIdentified : owner[detail] === null));

/** The shortest of the lists: the company that lacks least is the one that is told of. Empty where there is no list. */
export const leastOf = <Detail>(lists: readonly (readonly Detail[])[]): readonly Detail[] =>
  lists.reduce((least, one) => (one.length < least.length ? one : least), lists[0] ?? []);

/** What each company demands, the preferred one first: those that open accounts, and those that check identities. */
export interface Demands {
  accounts: readonly (readonly NeededDetail[])[];
  identity: readonly (readonly OwnerDetail[])[];
}

/**
 * The details that the metadata of a wallet lacks although whichever company serves it will demand them. A verified number may
 * still come later, so it is not among them; the names are, by which alone it could be verified.
 * @param isIdentified whether the owner has a verified number.
 */
export function missingAtTheDoor(
  { accounts, identity }: Demands,
  metadata: Metadata,
  isIdentified: boolean,
): readonly OwnerDetail[] {
  const owner = ownerDetailsIn(metadata);
  const forNumber = leastOf(identity);
  return leastOf(
    accounts.map((demands) => {
      const details = demands.flatMap((detail) =>
        detail !== 'identity' ? [detail] : isIdentified ? [] : forNumber,
      );
      return [...new Set(details)].filter((detail) => owner[detail] === null);
    }),
  );
}

/** Whether every company that checks numbers compares names, so that without one nobody can be asked. */
export const demandsNames = ({ identity }: Pick<Demands, 'identity'>): boolean =>
  leastOf(identity).length > 0;
