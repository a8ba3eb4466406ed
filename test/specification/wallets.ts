/** The wallets that the sections on moving money need: two to pay between, and one for every refusal. */
import type { Client } from './client';

/** Ids of wallets. All except `foreign` are of the partner. */
export interface Wallets {
  /** It has the amount of its funding. */
  source: string;
  dest: string;
  /** It has money, and belongs to another partner. */
  foreign: string;
  /** It is empty. */
  active: string;
  frozen: string;
  closed: string;
}

/** @param fundKobo the funding of the source. */
export async function openWallets(partner: Client, stranger: Client, fundKobo: number): Promise<Wallets> {
  const [source, dest, active, frozen, closed, foreign] = await Promise.all([
    partner.wallet(fundKobo),
    partner.wallet(),
    partner.wallet(),
    partner.wallet(5_000_000),
    partner.wallet(),
    stranger.wallet(1_000_000),
  ]);
  await partner.post(`/v1/wallets/${frozen}/freeze`, {});
  await partner.post(`/v1/wallets/${closed}/close`, {});
  return { source, dest, foreign, active, frozen, closed };
}
