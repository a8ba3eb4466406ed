/**
 * One payer at a time on the phone: from the gateway's callback to the screen, per kind of step, beside a bare
 * update on the same server. The code is dialled right after the initiation, so that the first message may be
 * what starts the workflow; the wallets have a PIN of their own, so that each PIN is really verified.
 */
import { hash } from '@node-rs/argon2';
import type { Row, Scenario } from '../scenario';
import { bareTemporal, type BareTemporal } from '../support/bare-temporal';
import { openPhone, PIN, type Step, type Timings } from '../support/phone';
import { checkBooks } from '../support/books';
import { timeOf } from '../support/time';
import { watchUsage } from '../support/usage';
import { wholePlatform } from '../support/whole-platform';
import { percentile } from '../support/percentile';

const row = (name: string, ours: string, yardstick: string, floor = 2): Row => ({
  name,
  ours: `USSD, ${ours}, p50`,
  yardstick,
  unit: 'ms',
  ratio: 'at most',
  floor,
  goal: 1.5,
});

const ROWS = {
  dial: row('ussd-dial', 'first dial', 'a bare update-with-start'),
  confirm: row('ussd-confirm', 'confirmation', 'a bare update', 2.5),
  pin: row('ussd-pin', 'PIN: verified and paid', 'a bare update and one argon2id hash'),
} satisfies Record<Step, Row>;
const STEPS = Object.keys(ROWS) as Step[];

/** As src/secrets/pins.ts hashes. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A session takes about a sixth of a second, and so do the bare updates beside it. */
const SESSIONS_PER_SECOND = 3;

export const ussd: Scenario = {
  rows: Object.values(ROWS),
  async run(report) {
    const platform = await wholePlatform();
    const bare = await bareTemporal(platform);
    const [payer = '', merchant = ''] = await platform.wallets(2, 1_000_000_000);
    await platform.call('PUT', `/v1/wallets/${payer}/pin`, { pin: PIN });
    const pay = openPhone(platform, payer, merchant);
    const touch = (): Promise<Timings> => touchBare(bare);

    const { runs, seconds, warmUpSeconds } = report.size;
    for (const measured of [pay, touch]) await repeat(warmUpSeconds, measured);
    const all: Timings[] = [];
    for (let run = 0; run < runs; run++) {
      const yardstick = await repeat(seconds, touch);
      const usage = watchUsage(platform.watched);
      const ours = await repeat(seconds, pay);
      for (const step of STEPS) {
        report.figure(ROWS[step].name, at(ours, step, 0.5), at(yardstick, step, 0.5));
        report.usage(ROWS[step].name, usage());
      }
      all.push(...ours);
      await checkBooks(platform);
    }
    for (const step of STEPS) {
      report.claim(
        ROWS[step].name,
        true,
        `p95 ${at(all, step, 0.95).toFixed(1)} ms of ${String(all.length)} steps`,
      );
    }
  },
};

const at = (timings: readonly Timings[], step: Step, share: number): number =>
  percentile(
    timings.map((timing) => timing[step]),
    share,
  );

async function repeat(seconds: number, measured: () => Promise<Timings>): Promise<Timings[]> {
  const timings: Timings[] = [];
  while (timings.length < seconds * SESSIONS_PER_SECOND) timings.push(await measured());
  return timings;
}

async function touchBare(bare: BareTemporal): Promise<Timings> {
  let session = '';
  return {
    dial: await timeOf(async () => (session = await bare.begin())),
    confirm: await timeOf(() => bare.touch(session, false)),
    pin: await timeOf(async () => {
      await hash(PIN, ARGON2ID);
      await bare.touch(session, true);
    }),
  };
}
