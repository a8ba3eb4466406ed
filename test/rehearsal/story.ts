/** The story of a rehearsal: what a day in live is made of, each step with the figures that it must leave. */
import assert from 'node:assert/strict';
import { LIVE_CELL } from '../setup/cells';
import { until } from '../support/until';
import type { FakeFault } from '../standins/paystack/state';
import { formatNaira } from '../../sdk/src';
import { COMPANY, type LiveWallet, type Stage } from './stage';

const RECEIVED_KOBO = 2_000_000;
/** One percent, as Paystack keeps it. */
const RECEIVED_FEE_KOBO = 20_000;
const AMOUNT_KOBO = 500_000;
const FEE_KOBO = 5_000;
const GOOD = '0123456789';
const FAILING = '0123456782';
const UNKNOWN = '0123450404';

interface Step {
  readonly title: string;
  /** @returns what it has seen, in a few words. */
  readonly play: (stage: Stage, wallet: LiveWallet) => Promise<string>;
}

const once = (does: FakeFault['does']): FakeFault => ({ on: 'POST /transfer', does, times: 1 });

/** Sends a transfer, waits until it has ended, and holds it to what it must have done to the wallet and at Paystack. */
async function pays(
  { live, paystack }: Stage,
  wallet: LiveWallet,
  accountNumber: string,
  expected: { status: 'completed' | 'failed'; paid: number },
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const before = await live.balanceKobo(wallet.id);
  const { reference, reply } = await live.bankTransfer(wallet.id, { accountNumber, amountKobo: AMOUNT_KOBO });
  assert.equal(reply.status, 202, reply.text);
  assert.equal(await live.balanceKobo(wallet.id), before - AMOUNT_KOBO - FEE_KOBO, 'the debit');
  await meanwhile();
  const ended = await live.ended(wallet.id, reference);
  assert.equal(ended.status, expected.status);
  const debit = expected.status === 'completed' ? AMOUNT_KOBO + FEE_KOBO : 0;
  assert.equal(before - (await live.balanceKobo(wallet.id)), debit, 'what the transfer costs');
  const paid = (await paystack.state()).payments.filter((one) => one.includes(ended.id as string));
  assert.equal(paid.length, expected.paid, 'how often Paystack has paid');
}

const COMPLETED = { status: 'completed', paid: 1 } as const;
const FAILED = { status: 'failed', paid: 0 } as const;

/** Has money come in. @returns once it is on the wallet. */
async function receives(
  { live, paystack }: Stage,
  { id, accountNumber }: LiveWallet,
  reference: string,
): Promise<void> {
  const before = await live.balanceKobo(id);
  await paystack.receive(reference, { amountKobo: RECEIVED_KOBO, accountNumber });
  await until(`the credit of ${reference}`, async () => (await live.balanceKobo(id)) > before);
  assert.equal(await live.balanceKobo(id), before + RECEIVED_KOBO);
}

const STORY: readonly Step[] = [
  {
    title: 'Money comes in from outside',
    async play(stage, wallet) {
      await receives(stage, wallet, 'in-1');
      return `${formatNaira(RECEIVED_KOBO)} credited, Paystack keeps ${formatNaira(RECEIVED_FEE_KOBO)}`;
    },
  },
  {
    title: 'Paystack turns our orders away',
    async play(stage, wallet) {
      const { live, paystack, monnify } = stage;
      await paystack.set({ faults: [{ on: 'POST /transfer', does: 'answer', status: 403, body: '' }] });
      const before = await live.balanceKobo(wallet.id);
      const { reference } = await live.bankTransfer(wallet.id, {
        accountNumber: GOOD,
        amountKobo: AMOUNT_KOBO,
      });
      const ended = await live.ended(wallet.id, reference);
      assert.equal(ended.status, 'completed');
      assert.equal(before - (await live.balanceKobo(wallet.id)), AMOUNT_KOBO + FEE_KOBO);
      const { payments } = await monnify.state();
      assert.equal(payments.filter((one) => one.includes(ended.id as string)).length, 1);
      // From here on transfers wait for Paystack.
      await monnify.set({ balance: 0 });
      return 'Monnify has paid, once';
    },
  },
  {
    title: 'The same payment is told five times',
    async play(stage, wallet) {
      await stage.paystack.set({ webhookTimes: 5 });
      await receives(stage, wallet, 'in-2');
      await until('all five events', async () => (await stage.paystack.state()).events.length === 0);
      return 'credited once';
    },
  },
  {
    title: 'The event of a payment is lost',
    async play(stage, wallet) {
      await stage.paystack.set({ webhookTimes: 0 });
      const lost = receives(stage, wallet, 'in-3');
      await until('the payment at Paystack', async () =>
        (await stage.paystack.state()).transactions.some(({ reference }) => reference === 'in-3'),
      );
      // It runs every 15 minutes; nobody waits here for the next time.
      await stage.platform.environments().live.temporal.schedule.getHandle('untold-payments').trigger();
      await lost;
      return 'found in the list of Paystack, credited once';
    },
  },
  {
    title: 'A transfer to a bank',
    async play(stage, wallet) {
      await pays(stage, wallet, GOOD, COMPLETED);
      return `${formatNaira(AMOUNT_KOBO)} paid, fee ${formatNaira(FEE_KOBO)}`;
    },
  },
  {
    title: 'All events of a transfer are lost',
    async play(stage, wallet) {
      await stage.paystack.set({ webhookTimes: 0, pendingMs: 1_000 });
      await pays(stage, wallet, GOOD, COMPLETED);
      return 'the platform asked by itself, paid once';
    },
  },
  {
    title: 'The answer to an order is lost',
    async play(stage, wallet) {
      await stage.paystack.set({ faults: [once('drop after')] });
      await pays(stage, wallet, GOOD, COMPLETED);
      return 'paid once';
    },
  },
  {
    title: 'The order itself is lost',
    async play(stage, wallet) {
      await stage.paystack.set({ faults: [once('drop before')] });
      await pays(stage, wallet, GOOD, COMPLETED);
      return 'sent again under the same reference, paid once';
    },
  },
  {
    title: 'The worker is killed while a transfer is under way',
    async play(stage, wallet) {
      await stage.paystack.set({ pendingMs: 2_000 });
      await pays(stage, wallet, GOOD, COMPLETED, () => stage.kill('worker'));
      return 'paid once';
    },
  },
  {
    title: 'Our balance at Paystack is too small',
    async play(stage, wallet) {
      await stage.paystack.set({ balanceKobo: 0 });
      await pays(stage, wallet, GOOD, COMPLETED, async () => {
        // Either Paystack refuses the order, or its balance is known to be too small and nothing is sent.
        await until('a transfer that waits', async () => {
          const rows = await stage.platform.sql(
            `SELECT FROM ${LIVE_CELL}.transactions t LEFT JOIN ${LIVE_CELL}.transfer_attempts a ON a.transaction_id = t.id
              WHERE t.type = 'bank_transfer' AND t.status = 'processing'
                AND (a.cause = 'float' OR a.n IS NULL AND t.created_at < now() - interval '1 second')`,
          );
          return rows.length > 0;
        });
        await stage.paystack.set({ balanceKobo: 1_000_000_000 });
      });
      return 'waited, and was paid after the top-up';
    },
  },
  {
    title: 'The bank does not know the account',
    async play(stage, wallet) {
      await stage.paystack.set({ unknownAccounts: [UNKNOWN] });
      await pays(stage, wallet, UNKNOWN, FAILED);
      return 'the payer has the money back';
    },
  },
  {
    title: 'The bank refuses the payment',
    async play(stage, wallet) {
      await stage.paystack.set({ endings: { [FAILING]: 'failed' }, webhookTimes: 3 });
      await pays(stage, wallet, FAILING, FAILED);
      return 'failed by two keys, the payer has the money back';
    },
  },
];

/** What the fake Paystack does where a step does not say otherwise. */
const USUAL = {
  faults: [],
  endings: {},
  unknownAccounts: [],
  pendingMs: 100,
  webhookTimes: 1,
  balanceKobo: 1_000_000_000,
};

/** @throws AssertionError when a figure is not as it must be; the error of `until` when something never comes. */
export async function tellStory(stage: Stage, say: (line: string) => void): Promise<void> {
  const wallet = await stage.wallet();
  say(`  A wallet has the account ${wallet.accountNumber} at Wema Bank, through ${COMPANY}\n`);
  for (const [index, { title, play }] of STORY.entries()) {
    await stage.paystack.set(USUAL);
    const startedAt = performance.now();
    const seen = await play(stage, wallet);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    say(`${String(index + 1).padStart(3)}  ${title.padEnd(52)} ${seen} (${seconds} s)`);
  }
  await stage.paystack.set(USUAL);
}
