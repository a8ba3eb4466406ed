/** `wallet logs`: shows the requests of the partner's programs as they are answered, or one of them with its bodies. */
import type {
  LoggedRequestWithBodies,
  RequestStreamOptions,
  StreamedRequest,
  WalletClient,
} from '../sdk/src';
import { printOne } from './print';
import type { Stop } from './stop';

/** Shows requests until it is stopped. @param filter as the list of requests takes it. */
export async function tail(
  wallet: WalletClient,
  filter: Record<string, string>,
  { asJson, stop }: { asJson: boolean; stop: Stop },
): Promise<void> {
  const options: RequestStreamOptions = {
    ...filter,
    signal: stop.signal,
    onNotice({ notice, data }) {
      if (notice === 'ready') stop.withInput();
      if (asJson) printOne({ notice, ...data }, true);
      else if (notice === 'ready') say(`Ready. Requests of ${String(data['environment'])}`);
      else if (notice === 'gap') say('Older requests are not kept any more, and are not shown.');
    },
  };
  for await (const { request } of wallet.requests.stream(options)) {
    if (asJson) printOne(request, true);
    else say(lineOf(request));
  }
}

/** Shows one request: its line, and each body that was kept. */
export function showRequest(request: LoggedRequestWithBodies, asJson: boolean): void {
  if (asJson) {
    printOne(request, true);
    return;
  }
  say(lineOf(request));
  for (const [name, body] of [
    ['Asked', request.request_body],
    ['Answered', request.response_body],
  ] as const) {
    say(`\n${name}: ${body === null ? 'no body is kept' : indented(body)}`);
  }
  if (request.truncated) say('\nA body was longer than what is kept of it.');
}

/** What was cut is no JSON any more, and stays as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function lineOf({ at, method, operation, request_id: id, ...request }: StreamedRequest['request']): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const answer = [request.status ?? 'gone', request.code].filter((part) => part !== null).join(' ');
  const isRepeat = request.replayed ? ' (replayed)' : '';
  return `${time}  ${method} ${operation}  [${answer}]${isRepeat} ${String(request.duration_ms)} ms  ${id}`;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
