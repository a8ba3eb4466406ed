/**
 * Payments of the partner, one by one at any pace or as a load; each that was answered with a 2xx must be in the
 * ledger.
 */
import { randomUUID } from 'node:crypto';
import { CELL } from './cell';
import { load, post, type LoadOptions, type LoadResult } from './load';
import { FUND_KOBO, referenceIn } from './p2p';
import { checkBooks } from './books';
import type { BenchPlatform } from './platform';
import { until } from './until';
import type { WholePlatform } from './whole-platform';

export interface Payments {
  /** From one wallet to another. */
  payWallet(): Promise<void>;
  /** To an account at another bank. */
  payBank(): Promise<void>;
  /** Waits until no transfer to a bank is under way. */
  allFinal(): Promise<void>;
  /** @throws when the books do not agree, or one of the payments is not in them. */
  check(): Promise<void>;
}

/** An account of the sandbox that takes money. */
const AT_ANOTHER_BANK = { bank_code: '044', account_number: '0123456789', account_name: 'Ada Obi' };
const AMOUNT_KOBO = 100_000;

export async function openPayments(platform: WholePlatform): Promise<Payments> {
  const [from = '', to = ''] = await platform.wallets(2, FUND_KOBO);
  const acknowledged: string[] = [];
  const send = async (path: string, destination: object): Promise<void> => {
    const reference = randomUUID();
    await platform.call('POST', path, {
      source_wallet: from,
      ...destination,
      amount: AMOUNT_KOBO,
      reference,
    });
    acknowledged.push(reference);
  };
  return {
    payWallet: () => send('/v1/transfers/p2p', { dest_wallet: to }),
    payBank: () => send('/v1/transfers/bank', { dest_account: AT_ANOTHER_BANK }),
    allFinal: () => until(() => hasNothingInFlight(platform, from), 'bank transfers do not end'),
    async check() {
      await checkBooks(platform);
      await checkAccepted(platform, acknowledged);
    },
  };
}

async function hasNothingInFlight(platform: BenchPlatform, wallet: string): Promise<boolean> {
  const { rows } = await platform.sql<{ final: boolean }>(
    `SELECT in_flight_kobo = 0 AS final FROM ${CELL}.accounts WHERE id = $1`,
    [wallet],
  );
  return rows[0]?.final === true;
}

/** Does the work as often as `times` says, at most `atOnce` at the same time. */
export async function together(atOnce: number, times: number, work: () => Promise<void>): Promise<void> {
  let waiting = times;
  const one = async (): Promise<void> => {
    while (waiting-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/**
 * Bank transfers from random wallets, each with a reference and an Idempotency-Key of its own. Then it checks the
 * books.
 */
export async function loadBank(
  platform: BenchPlatform,
  { wallets, ...options }: Omit<LoadOptions, 'next' | 'onBody'> & { wallets: readonly string[] },
): Promise<LoadResult> {
  const acknowledged: string[] = [];
  const destination = JSON.stringify(AT_ANOTHER_BANK);
  const next = (): string => {
    const source = wallets[Math.floor(Math.random() * wallets.length)] as string;
    const body = `{"source_wallet":"${source}","dest_account":${destination},"amount":${AMOUNT_KOBO},"reference":"${randomUUID()}"}`;
    return post('/v1/transfers/bank', platform.key, body, `Idempotency-Key: ${randomUUID()}\r\n`);
  };
  const result = await load({ ...options, next, onBody: (body) => acknowledged.push(referenceIn(body)) });
  await checkAccepted(platform, acknowledged);
  await checkBooks(platform);
  return result;
}

/** @throws when a transfer that was answered with a 2xx is not in the ledger. */
async function checkAccepted(platform: BenchPlatform, references: readonly string[]): Promise<void> {
  const { rows } = await platform.sql<{ missing: number }>(
    `SELECT count(*)::int AS missing FROM unnest($2::text[]) AS told(reference)
      WHERE NOT EXISTS (
        SELECT FROM ${CELL}.used_references r JOIN ${CELL}.entries e ON e.transaction_id = r.transaction_id
         WHERE r.partner_id = $1 AND r.reference = told.reference)`,
    [platform.partnerId, references],
  );
  const missing = rows[0]?.missing;
  if (missing !== 0) throw new Error(`${String(missing)} transfers were answered and are not in the ledger`);
}
