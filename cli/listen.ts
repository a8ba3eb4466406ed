/** `wallet listen`: sends the events of the stream to a receiver on this machine, signed as deliveries are. */
import type { Agent } from 'undici';
import {
  isRefusal,
  signWebhook,
  type StreamedEvent,
  type StreamOptions,
  type WalletClient,
} from '../sdk/src';
import { onKeys } from './keys';
import { printOne } from './print';
import type { Stop } from './stop';
import { UsageError } from './usage';

/** As many at once, and so long for each, as the platform's own deliveries have. */
const AT_ONCE = 10;
const ANSWER_WITHIN_MS = 10_000;
/** How long before its own start a listener begins. */
const BEGINS_BEFORE_MS = 10_000;

/** Where events are sent, and how. */
export interface Target {
  url: string;
  secret: string;
  asJson: boolean;
  /** Sent with each event, beside the signature, which they do not replace. */
  headers?: Readonly<Record<string, string>>;
  /** Takes any certificate of the receiver. */
  skipVerify?: boolean;
}

/** How a receiver is named on the command line. */
export interface Receiver {
  forward: string;
  header?: readonly string[];
  skipVerify?: true;
}

/** @throws UsageError for what is no address, or no header. */
function targetOf(
  { forward: to, header = [], skipVerify }: Receiver,
  secret: string,
  asJson: boolean,
): Target {
  return {
    url: targetUrl(to),
    secret,
    asJson,
    headers: Object.fromEntries(header.map(headerOf)),
    skipVerify: skipVerify === true,
  };
}

/** `X-Tenant: acme`, as curl has it. */
function headerOf(text: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${text} is no header, as 'X-Tenant: acme'`);
  return [name, value];
}

/** `localhost:4000/hooks` is meant as an address of HTTP. @throws UsageError for what is none. */
function targetUrl(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new UsageError(`${text} is not an address`);
  return url;
}

/** What goes to a receiver, one after the other, with at most ten under way. */
export interface Forwarding {
  /** Waits for its turn, and does not wait for the answer. */
  send(event: StreamedEvent): Promise<void>;
  /** Sends the last one once more. */
  again(): void;
  /** Holds events back; the second time lets them go on. */
  pause(): void;
  /** Waits for the answers that are not there yet. */
  end(): Promise<void>;
}

/** @param signal ends the waiting of what is held back. */
export function openForwarding(target: Target, signal: AbortSignal): Forwarding {
  const underWay = new Set<Promise<void>>();
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let last: StreamedEvent | null = null;
  let held: { over: Promise<void>; release: () => void } | null = null;
  const start = (event: StreamedEvent): void => {
    last = event;
    const sent: Promise<void> = forward(event, target).finally(() => underWay.delete(sent));
    underWay.add(sent);
  };
  return {
    async send(event) {
      while (held !== null && !signal.aborted) await Promise.race([held.over, stopped]);
      if (signal.aborted) return;
      start(event);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    },
    again() {
      if (last === null) say('Nothing was sent yet.');
      else start(last);
    },
    pause() {
      if (held !== null) {
        say('Going on.');
        held.release();
        held = null;
        return;
      }
      say('Paused. Events are held back until you press p again.');
      let release = (): void => undefined;
      held = { over: new Promise<void>((resolve) => (release = resolve)), release: () => release() };
    },
    async end() {
      await Promise.all(underWay);
    },
  };
}

type Kind = StreamedEvent['event']['event'];

/** The kinds that were asked for; undefined is all of them. @throws UsageError for two answers to one question. */
async function kindsOf(
  wallet: WalletClient,
  { events, useEndpoint }: { events?: string; useEndpoint?: string },
): Promise<Kind[] | undefined> {
  if (useEndpoint === undefined) return events?.split(',') as Kind[] | undefined;
  if (events !== undefined) throw new UsageError('Say either --events or --use-endpoint');
  const endpoint = await wallet.webhooks.get(useEndpoint);
  // A stream has each kind under its own name only.
  const other = endpoint.events.filter((name) => name.startsWith('transfer.'));
  if (other.length === 0) return endpoint.events as Kind[];
  throw new UsageError(
    `The endpoint asks for ${other.join(' and ')}, whose name listen does not know. Say --events instead, with transaction.completed or transaction.failed`,
  );
}

/** Forwards events until it is stopped. What the receiver answers is shown, and not tried again. */
export async function listen(
  wallet: WalletClient,
  secret: string,
  options: Receiver & {
    events?: string;
    useEndpoint?: string;
    since?: string;
    poll?: true;
    asJson: boolean;
    stop: Stop;
  },
): Promise<void> {
  const { asJson, stop } = options;
  const { signal } = stop;
  const target = targetOf(options, secret, asJson);
  const forwarding = openForwarding(target, signal);
  const hasKeys = !asJson && process.stdin.isTTY;
  const events = await kindsOf(wallet, options);
  const { environment } = await wallet.partner.get();
  const onNotice: StreamOptions['onNotice'] = ({ notice, data }) => {
    if (notice === 'ready') stop.withInput();
    if (asJson) printOne({ notice, ...data }, true);
    else if (notice === 'ready') {
      say(`Ready. Secret ${secret} (the same every time). Events of ${environment} -> ${target.url}`);
      if (hasKeys) say('Press r to send the last event again, p to pause, Ctrl-C to end.');
    } else if (notice === 'gap') say('Older events are not kept any more, and were not sent.');
  };
  const forwardAll = async (since: string | undefined): Promise<void> => {
    const more = { ...(events && { events }), ...(since !== undefined && { since }) };
    const asked = { signal, onNotice, ...more };
    for await (const one of options.poll ? wallet.events.poll(asked) : wallet.events.stream(asked)) {
      await forwarding.send(one);
    }
  };
  const keys = { r: forwarding.again, p: forwarding.pause };
  const giveBack = hasKeys ? onKeys(keys, () => process.kill(process.pid, 'SIGINT')) : () => undefined;
  try {
    await forwardSince();
    await forwarding.end();
  } finally {
    giveBack();
  }

  async function forwardSince(): Promise<void> {
    if (options.since !== undefined) await forwardAll(sinceOf(options.since));
    else {
      // What is triggered while this program is still loading is not missed, unless the clocks differ too much for it.
      const since = new Date(performance.timeOrigin - BEGINS_BEFORE_MS).toISOString();
      await forwardAll(since).catch((error: unknown) => {
        if (!isRefusal(error, 'VALIDATION_ERROR')) throw error;
        return forwardAll(undefined);
      });
    }
  }
}

/**
 * Sends one event of the past again, with the same id and bytes.
 * @throws UsageError when it is not kept any more.
 */
export async function resend(
  wallet: WalletClient,
  secret: string,
  options: Receiver & { eventId: string; asJson: boolean },
): Promise<void> {
  const target = targetOf(options, secret, options.asJson);
  await wallet.events.get(options.eventId);
  for await (const one of wallet.events.stream({ since: options.eventId })) {
    if (one.id === options.eventId) return forward(one, target);
    if (one.id > options.eventId) break;
  }
  throw new UsageError('The stream does not have this event any more');
}

/** `10m` is ten minutes ago; everything else goes to the platform as it is. */
export function sinceOf(text: string): string {
  const [, count, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (count === undefined) return text;
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
  return new Date(Date.now() - Number(count) * unitMs).toISOString();
}

async function forward(
  { id, rawBody, event }: StreamedEvent,
  { url, secret, asJson, headers, skipVerify = false }: Target,
): Promise<void> {
  const { webhook_id: webhookId, event: kind } = event;
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const signature = await signWebhook(rawBody, secret, { id: webhookId, timestampSeconds });
  // It is loaded here and not above, because it takes half the time in which the other commands have ended.
  const { Agent, request } = await import('undici');
  const startedAt = performance.now();
  const sent = new Headers(headers);
  for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...signature }))
    sent.set(name, value);
  if (skipVerify) unverified ??= new Agent({ connect: { rejectUnauthorized: false } });
  const answer = await request(url, {
    method: 'POST',
    headers: Object.fromEntries(sent),
    body: rawBody,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    ...(skipVerify && unverified && { dispatcher: unverified }),
  }).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    (error: unknown) =>
      isOfCertificate(error) ? 'no trusted certificate: --skip-verify takes it' : noAnswer(error),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  if (asJson) {
    printOne({ id, event: kind, webhook_id: webhookId, answer, duration_ms: durationMs }, true);
    return;
  }
  const data = event.data as { type?: string };
  const what = [kind, data.type].filter((part) => part !== undefined).join(' ');
  const time = new Date().toTimeString().slice(0, 8);
  say(`${time}  --> ${what} [${webhookId}]   <-- [${String(answer)}] ${String(durationMs)} ms`);
  const isTaken = typeof answer === 'number' && answer >= 200 && answer < 300;
  if (!isTaken) say(`          again: npx wallet events resend ${id} -f ${url}`);
}

/** For receivers whose certificate nobody has signed. It is used for nothing else, and never for the platform. */
let unverified: Agent | undefined;

const isOfCertificate = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|VERIFY/.test(String((error as { code?: unknown }).code));

/** With the cause, as ECONNREFUSED where no receiver listens. */
function noAnswer(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  if (name === 'TimeoutError') return `no answer within ${String(ANSWER_WITHIN_MS / 1_000)} s`;
  return typeof code === 'string' ? `no answer: ${code}` : 'no answer';
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
