/** `wallet listen`: sends the events of the stream to a receiver on this machine, signed as deliveries are. */
import { isRefusal, signWebhook, type StreamedEvent, type StreamOptions, type Wallet } from '../sdk/src';
import { printOne } from './print';
import { UsageError } from './usage';

/** As many at once, and so long for each, as the platform's own deliveries have. */
const AT_ONCE = 10;
const ANSWER_WITHIN_MS = 10_000;
/** How long before its own start a listener begins. */
const BEGINS_BEFORE_MS = 10_000;

interface Target {
  url: string;
  secret: string;
  asJson: boolean;
}

/** `localhost:4000/hooks` is meant as an address of HTTP. @throws UsageError for what is none. */
function targetUrl(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new UsageError(`${text} is not an address`);
  return url;
}

/** Forwards events until the signal ends it. What the receiver answers is shown, and not tried again. */
export async function listen(
  wallet: Wallet,
  secret: string,
  options: {
    forward: string;
    events?: string;
    since?: string;
    poll?: true;
    asJson: boolean;
    signal: AbortSignal;
  },
): Promise<void> {
  const { asJson } = options;
  const target = { url: targetUrl(options.forward), secret, asJson };
  const underWay = new Set<Promise<void>>();
  const events = options.events?.split(',') as StreamedEvent['event']['event'][] | undefined;
  const { environment } = await wallet.partner.get();
  const onNotice: StreamOptions['onNotice'] = ({ notice, data }) => {
    if (asJson) printOne({ notice, ...data }, true);
    else if (notice === 'ready') {
      say(`Ready. Secret ${secret} (the same every time). Events of ${environment} -> ${target.url}`);
    } else if (notice === 'gap') say('Older events are not kept any more, and were not sent.');
  };
  const forwardAll = async (since: string | undefined): Promise<void> => {
    const more = { ...(events && { events }), ...(since !== undefined && { since }) };
    const asked = { signal: options.signal, onNotice, ...more };
    for await (const one of options.poll ? wallet.events.poll(asked) : wallet.events.stream(asked)) {
      const sent: Promise<void> = forward(one, target).finally(() => underWay.delete(sent));
      underWay.add(sent);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    }
  };
  if (options.since !== undefined) await forwardAll(sinceOf(options.since));
  else {
    // What is triggered while this program is still loading is not missed, unless the clocks differ too much for it.
    const since = new Date(performance.timeOrigin - BEGINS_BEFORE_MS).toISOString();
    await forwardAll(since).catch((error: unknown) => {
      if (!isRefusal(error, 'VALIDATION_ERROR')) throw error;
      return forwardAll(undefined);
    });
  }
  await Promise.all(underWay);
}

/**
 * Sends one event of the past again, with the same id and bytes.
 * @throws UsageError when it is not kept any more.
 */
export async function resend(
  wallet: Wallet,
  secret: string,
  options: { eventId: string; forward: string; asJson: boolean },
): Promise<void> {
  await wallet.events.get(options.eventId);
  const target = { url: targetUrl(options.forward), secret, asJson: options.asJson };
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
  { url, secret, asJson }: Target,
): Promise<void> {
  const { webhook_id: webhookId, event: kind } = event;
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const signature = await signWebhook(rawBody, secret, { id: webhookId, timestampSeconds });
  const startedAt = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signature },
    body: rawBody,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => 'no answer',
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

const say = (line: string): void => void process.stdout.write(`${line}\n`);
