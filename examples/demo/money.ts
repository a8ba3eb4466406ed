/** The amounts of the demo in kobo, with the published fees (interface: Limits; D18). */

export const FUNDING_KOBO = 5_000_000;
export const P2P_KOBO = 150_000;
export const BANK_KOBO = 500_000;

/** 0.5 percent, rounded down, at most 200 naira. */
export const P2P_FEE_KOBO = Math.min(20_000, Math.floor((P2P_KOBO * 5) / 1_000));
export const BANK_FEE_KOBO = 5_000;
/** QR, split and USSD payments have no fee (D64, D71, D79). */
export const QR_KOBO = 35_000;
export const SPLIT_KOBO = 20_000;
export const USSD_KOBO = 15_000;
