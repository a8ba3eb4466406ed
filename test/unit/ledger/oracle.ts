/**
 * A second, simpler ledger to compare with: one movement at a time, integers of any size, and no
 * accounts except wallets. It knows the published rules and nothing of how the product keeps its books.
 */
import type { Bank, Funding, P2p } from '../../support/books';
import type { Settlement } from '../../../src/domain/ledger';

const NO_ROOM_FROM = 2n ** 53n;

/** The kinds of movements in the random histories. */
export type OracleMovement = P2p | Bank | Funding | Settlement;

/** The figures of tier 1 (docs/reference/limits.md). */
const TIER_1 = { single: 5_000_000n, day: 5_000_000n, credit: 5_000_000n, balance: 30_000_000n };
const DAY_MS = 86_400_000;
/** The number of a day in Lagos. */
const dayOf = (now: Date): number => Math.floor((now.getTime() + DAY_MS / 24) / DAY_MS);

/** @param limited the wallets in tier 1, with what they have paid on the first day. */
export function createOracle(
  balances: Record<string, bigint>,
  limited: { used: Record<string, bigint>; on: Date } = { used: {}, on: new Date(0) },
) {
  /** What each wallet under limits has paid, by wallet and day. */
  const paidOn = new Map(
    Object.entries(limited.used).map(([id, kobo]) => [`${id} ${dayOf(limited.on)}`, kobo]),
  );
  const isLimited = (wallet: string | null): boolean => wallet !== null && wallet in limited.used;
  const usedOn = (wallet: string, now: Date): bigint => paidOn.get(`${wallet} ${dayOf(now)}`) ?? 0n;
  const use = (wallet: string, now: Date, kobo: bigint): void => {
    if (isLimited(wallet)) paidOn.set(`${wallet} ${dayOf(now)}`, usedOn(wallet, now) + kobo);
  };

  const used = new Map<string, { id: string; terms: string }>();
  const keys = new Map<string, { id: string; fingerprint: string }>();
  const transfers = new Map<
    string,
    { source: string; amount: bigint; debit: bigint; status: string; at: Date }
  >();
  interface SetAside {
    wallet: string;
    amount: bigint;
    isOver: boolean;
    isOpen: boolean;
    captured: { terms: string; id: string } | null;
  }
  const setAside = new Map<string, SetAside>();

  const feeOf = (type: string, amount: bigint): bigint => {
    if (type === 'bank_transfer') return 5_000n;
    const share = (amount * 5n) / 1_000n;
    return type === 'wallet_funding' ? 0n : share > 20_000n ? 20_000n : share;
  };

  /** The amount that open transfers may still give back. */
  const inFlight = (wallet: string): bigint =>
    [...transfers.values()]
      .filter((transfer) => transfer.source === wallet && transfer.status === 'processing')
      .reduce((sum, transfer) => sum + transfer.debit, 0n);

  /** What a wallet may spend: all but what its open holds have set aside. */
  const available = (wallet: string): bigint =>
    [...setAside.values()]
      .filter((hold) => hold.wallet === wallet && hold.isOpen)
      .reduce((left, hold) => left - hold.amount, balances[wallet] ?? 0n);

  function open(movement: P2p | Bank | Funding, now: Date): string {
    const { key, reference, transactionId: id } = movement;
    const known = key && keys.get(key.key);
    if (known)
      return known.fingerprint === key.fingerprint ? `answer of ${known.id}` : 'IDEMPOTENCY_KEY_REUSED';
    const amount = BigInt(movement.amountKobo);
    if (amount < 1n) return 'AMOUNT_TOO_LOW';
    const source = movement.type === 'wallet_funding' ? null : movement.sourceWalletId;
    const dest = movement.type === 'bank_transfer' ? null : movement.destWalletId;
    const terms = `${movement.type} ${source ?? ''} ${dest ?? ''} ${amount}`;
    const hold = movement.holdId === undefined ? undefined : setAside.get(movement.holdId);
    if (hold?.captured?.terms === terms) return `original ${hold.captured.id}`;
    if (hold && (!hold.isOpen || hold.isOver)) return 'HOLD_NOT_OPEN';
    if (hold && amount > hold.amount) return 'VALIDATION_ERROR';
    if (source !== null && source === dest) return 'SAME_WALLET_TRANSFER';
    const before = movement.type === 'wallet_funding' || hold ? undefined : used.get(reference);
    if (before) return before.terms === terms ? `original ${before.id}` : 'DUPLICATE_REFERENCE';
    if ([source, dest].some((wallet) => wallet !== null && balances[wallet] === undefined))
      return 'WALLET_NOT_FOUND';
    const debit = amount + feeOf(movement.type, amount);
    if (
      source !== null &&
      isLimited(source) &&
      (amount > TIER_1.single || usedOn(source, now) + amount > TIER_1.day)
    )
      return 'LIMIT_EXCEEDED';
    if (
      dest !== null &&
      isLimited(dest) &&
      (amount > TIER_1.credit || (balances[dest] ?? 0n) + inFlight(dest) + amount > TIER_1.balance)
    )
      return 'LIMIT_EXCEEDED';
    if (source !== null && available(source) + (hold?.amount ?? 0n) < debit) return 'INSUFFICIENT_FUNDS';
    if (dest !== null && (balances[dest] ?? 0n) + inFlight(dest) + amount >= NO_ROOM_FROM)
      return 'LIMIT_EXCEEDED';

    if (source !== null) {
      balances[source] = (balances[source] ?? 0n) - debit;
      use(source, now, amount);
    }
    if (dest !== null) balances[dest] = (balances[dest] ?? 0n) + amount;
    if (hold) Object.assign(hold, { isOpen: false, captured: { terms, id } });
    else if (movement.type !== 'wallet_funding') used.set(reference, { id, terms });
    if (key) keys.set(key.key, { id, fingerprint: key.fingerprint });
    if (source !== null && dest === null)
      transfers.set(id, { source, amount, debit, status: 'processing', at: now });
    return `posted ${id}`;
  }

  function settle({ transactionId, trigger }: Settlement): string {
    const transfer = transfers.get(transactionId);
    if (transfer?.status !== 'processing') return `before ${transfer?.status ?? 'unknown'}`;
    transfer.status = trigger === 'provider_success' ? 'completed' : 'failed';
    if (transfer.status === 'failed') {
      balances[transfer.source] = (balances[transfer.source] ?? 0n) + transfer.debit;
      use(transfer.source, transfer.at, -transfer.amount);
    }
    return `posted ${transactionId}`;
  }

  return {
    balances,
    available,
    usedOn,
    /** Sets an amount aside; of one whose time is over already, nobody has written that yet. */
    place(id: string, wallet: string, amountKobo: number, isOver: boolean): string {
      const amount = BigInt(amountKobo);
      if (available(wallet) < amount) return 'INSUFFICIENT_FUNDS';
      setAside.set(id, { wallet, amount, isOver, isOpen: true, captured: null });
      return `held ${id}`;
    },
    release(id: string): void {
      const hold = setAside.get(id);
      if (hold) hold.isOpen = false;
    },
    /** Carries the movement out and describes its result in a few words. */
    apply: (movement: OracleMovement, now: Date): string =>
      movement.kind === 'open' ? open(movement, now) : settle(movement),
  };
}
