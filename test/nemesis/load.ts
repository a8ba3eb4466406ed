/**
 * A partner's backend, as it should be written: each operation has a key, is asked again with the same body until its
 * answer is known, at the other API where one does not answer, and every answer is recorded.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../support/send';
import { until } from '../support/until';
import { pick } from './random';

type Kind =
  | 'wallet'
  | 'p2p'
  | 'split'
  | 'qr-create'
  | 'qr-pay'
  | 'bank'
  | 'settle'
  | 'ussd'
  | 'simulate'
  | 'kyc'
  | 'compliance';

export interface Attempt {
  readonly url: string;
  /** By the clock of `performance.now`. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly text: string;
  readonly isReplay: boolean;
  /** The code of a refusal, or why no answer came. */
  readonly error: string | null;
}

export interface Operation {
  readonly kind: Kind;
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** Null where the operation takes none. */
  readonly key: string | null;
  readonly reference: string | null;
  readonly attempts: Attempt[];
}

export interface Load {
  readonly operations: readonly Operation[];
  /** Begins nothing more. Ends when every operation that was begun has its answer. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends when every operation that was begun has its answer. */
  stop(): Promise<void>;
}

export interface Caller {
  readonly partnerId: string;
  readonly key: string;
  readonly urls: readonly string[];
}

const ANSWER_WITHIN_MS = 20_000;
const GIVE_UP_MS = 120_000;
const PAUSE_MS = 400;
/** The part of the calls that this client itself gives up at once, so that it does not know what came of them. */
const GIVEN_UP = 0.04;
/** The part of the operations that are sent to both APIs at the same moment. */
const AT_ONCE = 0.15;
/** The part of the operations that are repeated after their answer. */
const REPEATED = 0.25;

/** The answer that a caller goes by: the first one that says yes or no. */
export const answerOf = ({ attempts }: Operation): Attempt | undefined => attempts.find(isFinal);

export const isAccepted = (attempt: Attempt | undefined): boolean =>
  attempt?.status !== null && attempt !== undefined && attempt.status < 300;

function isFinal({ status, error }: Attempt): boolean {
  return status !== null && status < 500 && status !== 429 && error !== 'REQUEST_IN_PROGRESS';
}

/** Whether the platform may have begun the operation in an attempt whose answer the caller does not know. */
export const hasUnknown = ({ attempts }: Operation): boolean =>
  attempts.some(({ status }) => status === null || status >= 500);

async function ask(
  { key: credential }: Caller,
  operation: Operation,
  url: string,
  giveUpAfterMs = ANSWER_WITHIN_MS,
): Promise<Attempt> {
  const startedAt = performance.now();
  const call = async (): Promise<Omit<Attempt, 'url' | 'startedAt' | 'tookMs'>> => {
    const response = await fetch(url + operation.path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${credential}`,
        'Content-Type': 'application/json',
        ...(operation.key !== null && { 'Idempotency-Key': operation.key }),
        ...(operation.kind === 'bank' &&
          operation.body['description'] === HELD && { 'X-Sandbox-Hold': 'true' }),
      },
      body: JSON.stringify(operation.body),
      signal: AbortSignal.timeout(giveUpAfterMs),
    });
    const text = await response.text();
    const isReplay = response.headers.get('Idempotent-Replayed') === 'true';
    const error = response.ok ? null : (JSON.parse(text).error as string);
    return { status: response.status, text, isReplay, error };
  };
  const answer = await call().catch((error: unknown) => ({
    status: null,
    text: '',
    isReplay: false,
    error: reasonOf(error),
  }));
  const attempt = { url, startedAt, tookMs: performance.now() - startedAt, ...answer };
  operation.attempts.push(attempt);
  return attempt;
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name;
}

/** Marks a bank transfer that waits to be completed or failed by hand. */
const HELD = 'held';

/**
 * Runs until it is stopped.
 * @param random decides what is done; the moments of the answers decide the rest.
 * @param lanes how many operations are under way at once.
 */
export function startLoad(
  caller: Caller,
  wallets: readonly string[],
  random: () => number,
  lanes: number,
): Load {
  const operations: Operation[] = [];
  const end = new AbortController();
  let pause: { readonly over: Promise<void>; readonly end: () => void; resting: number } | undefined;
  const { urls } = caller;
  const other = (url: string): string => urls.find((one) => one !== url) ?? url;

  /** @returns the answer, or undefined where none came within two minutes. */
  async function done(operation: Operation): Promise<Attempt | undefined> {
    operations.push(operation);
    const giveUpAt = performance.now() + GIVE_UP_MS;
    let url = pick(random, urls);
    if (operation.key !== null && random() < AT_ONCE) {
      await Promise.all(urls.map((each) => ask(caller, operation, each)));
    } else if (random() < GIVEN_UP) {
      await ask(caller, operation, url, 1 + Math.floor(random() * 30));
    }
    while (!answerOf(operation) && performance.now() < giveUpAt) {
      const attempt = await ask(caller, operation, url);
      if (isFinal(attempt)) break;
      url = other(url);
      await sleep(PAUSE_MS * random());
    }
    const answer = answerOf(operation);
    if (operation.key !== null && isAccepted(answer) && random() < REPEATED)
      await ask(caller, operation, other(url));
    return answer;
  }

  const begin = (kind: Kind, path: string, body: Record<string, unknown>, isKeyed = true): Operation => ({
    kind,
    path,
    body,
    key: isKeyed ? randomUUID() : null,
    reference: (body['reference'] as string | undefined) ?? null,
    attempts: [],
  });
  const dataOf = (attempt: Attempt | undefined): Json =>
    attempt && isAccepted(attempt) ? JSON.parse(attempt.text).data : undefined;
  const two = (): [string, string] => {
    const from = pick(random, wallets);
    return [
      from,
      pick(
        random,
        wallets.filter((id) => id !== from),
      ),
    ];
  };
  const amount = (): number => 100 + Math.floor(random() * 900);
  const named = (kind: Kind): string => `${kind}-${randomUUID()}`;

  const KINDS: Record<string, [weight: number, act: () => Promise<unknown>]> = {
    p2p: [
      8,
      async () => {
        const [source, dest] = two();
        // One in ten asks for more than there is.
        const kobo = random() < 0.1 ? 1_000_000_000_000 : amount();
        const body = { source_wallet: source, dest_wallet: dest, amount: kobo, reference: named('p2p') };
        await done(begin('p2p', '/v1/transfers/p2p', body));
      },
    ],
    split: [
      3,
      async () => {
        const [source, dest] = two();
        const third = pick(
          random,
          wallets.filter((id) => id !== source && id !== dest),
        );
        const splits = [dest, third].map((id) => ({ wallet_id: id, amount: amount() }));
        const body = { source_wallet: source, reference: named('split'), splits };
        await done(begin('split', '/v1/payments/split', body));
      },
    ],
    qr: [
      3,
      async () => {
        const [source, dest] = two();
        const body = { wallet_id: dest, amount: amount(), reference: named('qr-create') };
        const created = await done(begin('qr-create', '/v1/payments/qr/create', body));
        if (!isAccepted(created)) return;
        const payment = { qr_reference: body.reference, source_wallet: source };
        await done({ ...begin('qr-pay', '/v1/payments/qr/pay', payment), reference: body.reference });
      },
    ],
    bank: [
      5,
      async () => {
        const [source] = two();
        const held = random() < 0.4;
        const body = {
          source_wallet: source,
          dest_account: {
            bank_code: '058',
            account_number: random() < 0.25 ? '1234560000' : '0123456789',
            account_name: 'ADA OBI',
          },
          amount: amount(),
          reference: named('bank'),
          description: held ? HELD : 'sent',
        };
        const sent = dataOf(await done(begin('bank', '/v1/transfers/bank', body)));
        if (!held || !sent) return;
        const verdict = pick(random, ['complete', 'fail']);
        const order = { transaction_id: sent.id as string };
        await done(begin('settle', `/v1/sandbox/bank-transfer/${verdict}`, order, false));
      },
    ],
    ussd: [
      3,
      async () => {
        const [source, dest] = two();
        const body = {
          payer_wallet_id: source,
          merchant_wallet_id: dest,
          amount_kobo: amount(),
          reference: named('ussd'),
        };
        const opened = dataOf(await done(begin('ussd', '/v1/payments/ussd/initiate', body)));
        if (!opened) return;
        const order = {
          session_id: opened.session_id as string,
          action: random() < 0.8 ? 'confirm' : 'cancel',
        };
        await done(begin('simulate', '/v1/sandbox/ussd/simulate', order, false));
      },
    ],
    kyc: [1, () => done(begin('kyc', '/v1/kyc/bvn', { user_ref: named('kyc'), bvn: '22212345678' }, false))],
    wallet: [1, () => done(begin('wallet', '/v1/wallets', { user_ref: named('wallet') }))],
    compliance: [
      1,
      () =>
        done(
          begin(
            'compliance',
            '/v1/partner/compliance/use-case',
            { description: 'Wallets for a market.' },
            false,
          ),
        ),
    ],
  };
  const choices = Object.values(KINDS).flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

  const running = Array.from({ length: lanes }, async () => {
    while (!end.signal.aborted) {
      if (pause) {
        pause.resting += 1;
        await pause.over;
      }
      await pick(random, choices)();
      await sleep(30 * random());
    }
  });
  return {
    operations,
    async pause() {
      let resume = (): void => undefined;
      const over = new Promise<void>((resolve) => (resume = resolve));
      const mine = { over, end: resume, resting: 0 };
      pause = mine;
      await until('the end of what was begun', () => mine.resting === lanes, 2 * GIVE_UP_MS);
    },
    resume() {
      pause?.end();
      pause = undefined;
    },
    async stop() {
      end.abort();
      await Promise.all(running);
    },
  };
}
