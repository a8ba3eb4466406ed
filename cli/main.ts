/** `wallet`: the platform from a terminal, for partners' programmers. */
import { Command, Argument } from 'commander';
import { WalletClient, type StreamedEvent, type Warning, type WebhookFault } from '../sdk/src';
import { wholeNumber } from './body';
import { addCompletion } from './completion';
import { reportFailure } from './failures';
import { listen, resend, sinceOf, type Receiver } from './listen';
import { showRequest, tail } from './logs';
import { addOperations, readOperations, type Operation } from './operations';
import { printOne } from './print';
import { addLogin } from './login';
import { listenSecret, readLogin } from './profile';
import { dial } from './phone';
import { readSteps, runScenario, seed, triggerOf, triggers, type Step } from './scenarios';
import { untilStopped } from './stop';
import { UsageError } from './usage';

const { env } = process;
const operations = readOperations();
const program = new Command('wallet')
  .description('The partner wallet service from a terminal')
  .option('--json', 'print one JSON object a line; errors too, on standard error', false)
  .option('--live', 'with a live key, allow more than reading', false)
  .configureOutput({ writeErr: (text) => void (isJson() || process.stderr.write(text)) })
  .exitOverride();

/** How deliveries can go wrong. */
const faults = (operations.find(({ name }) => name === 'sandbox.fault')?.fields?.['mode']?.enum ??
  []) as string[];

interface ListenOptions extends Partial<Receiver> {
  printSecret?: boolean;
  events?: string;
  useEndpoint?: string;
  since?: string;
  poll?: true;
}

const HEADER = [
  '-H, --header <header>',
  "send this header too, as 'X-Tenant: acme'; may be repeated",
  (header: string, before: readonly string[] = []): string[] => [...before, header],
] as const;
const SKIP_VERIFY = ['--skip-verify', 'take any certificate of the receiver'] as const;

/** A command that cannot be read is answered in the form that it asks for, too. */
const isJson = (): boolean => program.opts<{ json: boolean }>().json || process.argv.includes('--json');

/** @throws UsageError when a live key would change something, and nobody has said `--live`. */
function open({ method }: Pick<Operation, 'method'>): WalletClient {
  const { apiKey, apiUrl } = readLogin(env);
  const isLive = apiKey.startsWith('sk_live_');
  if (isLive && method !== 'GET' && !program.opts<{ live: boolean }>().live) {
    throw new UsageError('This key is a live one. Say --live to change something with it');
  }
  const onWarning = ({ message, ...warning }: Warning): void => {
    const line = isJson() ? JSON.stringify({ warning: message, ...warning }) : `Warning: ${message}`;
    process.stderr.write(`${line}\n`);
  };
  return new WalletClient({ apiKey, baseUrl: apiUrl, onWarning });
}

addLogin(program, env, isJson);

program
  .command('whoami')
  .description('the partner, the credential and its rate limit')
  .action(async () => printOne(await open({ method: 'GET' }).partner.get(), isJson()));

program
  .command('listen')
  .description('send events to a receiver on this machine, signed as deliveries are')
  .option('-f, --forward <url>', 'where the receiver is, as localhost:4000/hooks')
  .option(...HEADER)
  .option(...SKIP_VERIFY)
  .option('--print-secret', 'only print the secret that signs them')
  .option('--events <kinds>', 'only these kinds, with commas between them')
  .option('--use-endpoint <id>', 'the kinds that this endpoint of yours is subscribed to')
  .option('--since <when>', 'begin in the past: 10m, a time, or the id of an event')
  .option('--poll', 'ask again and again, where a proxy holds streams back')
  .action(async ({ forward, printSecret, ...options }: ListenOptions) => {
    const secret = listenSecret(env);
    if (printSecret) return void process.stdout.write(`${secret}\n`);
    if (forward === undefined) throw new UsageError('Say --forward, as -f localhost:4000/hooks');
    const how = { ...options, forward, asJson: isJson(), stop: untilStopped() };
    await listen(open({ method: 'GET' }), secret, how);
  });

const logs = program.command('logs').description('the log of requests');

logs
  .command('show <request>')
  .description('show a request with what is kept of its bodies')
  .action(async (id: string) => showRequest(await open({ method: 'GET' }).requests.get(id), isJson()));

logs
  .command('tail')
  .description('show the requests of all your programs as they are answered')
  .option('--status <status>', 'only answers with this status, as 422, or of a class, as 4xx')
  .option('--method <method>', 'only requests with this method')
  .option('--operation <operation>', 'only this operation, as p2pTransfer')
  .option('--code <code>', 'only refusals with this code')
  .option('--since <when>', 'begin in the past: 10m, or a time')
  .action(async ({ since, ...options }: Record<string, string>) => {
    const filter = { ...options, ...(since !== undefined && { since: sinceOf(since) }) };
    await tail(open({ method: 'GET' }), filter, { asJson: isJson(), stop: untilStopped() });
  });

program
  .command('trigger')
  .description('make an event really happen in the sandbox, and show it')
  .addArgument(new Argument('<event>', 'the kind of the event').choices(triggers()))
  .action(async (event: string) => {
    const made = await play(triggerOf(event));
    for (const { event: one } of made.slice(-1)) printOne(one, isJson());
  });

program
  .command('run <file>')
  .description('run a scenario: calls, what they must answer, and the events to wait for')
  .action(async (file: string) => void (await play(readSteps(file))));

program
  .command('seed')
  .description('fill the sandbox with wallets and payments to look at')
  .action(async () => void (await play(seed())));

program
  .command('forward <time>')
  .description('let time pass in the sandbox: 90s, 3m, 24h, 7d')
  .action(async (time: string) => {
    const asked = { seconds: secondsOf(time) };
    printOne(await open({ method: 'POST' }).sandbox.forward(asked), isJson());
  });

program
  .command('fault')
  .description('have the deliveries to an endpoint go wrong')
  .argument('<webhook-id>')
  .addArgument(new Argument('<mode>', 'how').choices(faults))
  .option('--seconds <seconds>', 'how long')
  .action(async (id: string, mode: string, { seconds }: { seconds?: string }) => {
    const asked = {
      mode,
      ...(seconds !== undefined && { seconds: wholeNumber('--seconds', seconds) }),
    } as WebhookFault;
    printOne(await open({ method: 'PUT' }).sandbox.fault(id, asked), isJson());
  });

program
  .command('reset')
  .description('delete everything of the sandbox')
  .action(async () => printOne(await open({ method: 'POST' }).sandbox.reset(), isJson()));

program
  .command('dial <code>')
  .description('play the phone of a payer: each line that you type is an input')
  .requiredOption('--phone <number>', 'whose phone it is, as +2348012345678')
  .action(async (code: string, { phone }: { phone: string }) =>
    dial(open({ method: 'POST' }), { code, phone }, (line) => void process.stdout.write(`${line}\n`)),
  );

addOperations(program, operations, open, isJson);

program.commands
  .find((command) => command.name() === 'events')
  ?.command('resend <id>')
  .description('send an event to a receiver on this machine again')
  .requiredOption('-f, --forward <url>', 'where the receiver is')
  .option(...HEADER)
  .option(...SKIP_VERIFY)
  .action(async (eventId: string, to: Receiver) =>
    resend(open({ method: 'GET' }), listenSecret(env), { ...to, eventId, asJson: isJson() }),
  );

/** Runs steps and says each. @returns the events that were awaited. */
async function play(steps: readonly Step[]): Promise<StreamedEvent[]> {
  const say = (line: string): void => {
    if (!isJson()) process.stdout.write(`${line}\n`);
  };
  return runScenario(open({ method: 'POST' }), operations, steps, say);
}

/** `3m` is 180. @throws UsageError for what is no time. */
function secondsOf(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(`${text} is no time, as 90s, 3m, 24h or 7d`);
  return Number(count) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
}

async function main(): Promise<void> {
  await addCompletion(program, operations, () => open({ method: 'GET' }));
  await program.parseAsync();
}

main().catch((error: unknown) => {
  process.exitCode = reportFailure(error, isJson());
});
