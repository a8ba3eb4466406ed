/**
 * `npm start`: the whole sandbox from one command. Postgres with its schema comes up beside Temporal, then worker and
 * API, and then a partner with a key. There is one line for each, and they stop together. Not for production.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { MigrationError } from '../../src/db/upkeep/migrate';
import { SetUpError } from '../../src/db/upkeep/set-up';
import { programUrls } from '../../src/runtime/database-urls';
import { CONFIG_NAMES, ConfigError, childEnvironment, type StartConfig } from '../../src/runtime/config';
import { attemptLines, follow } from './live-lines';
import {
  NAMESPACES,
  bringPostgres,
  bringProcess,
  bringSchema,
  bringTemporal,
  loadProcess,
  type Start,
} from './parts';
import { choosePorts } from './ports';
import { freeMemoryWhenIdle } from './memory';
import { printer, seconds, shown, type Printer } from './print';
import { writePrivate } from '../../src/administration/private-file';
import { StartError, projectFolder } from '../../src/administration/project';
import { keepDatabaseUrl, operatorToken, sandboxKey, type Sandbox } from './sandbox-file';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { keepSecrets, secretsFor } from './secrets';
import { readSettings, takeFolder, type Folder } from './start-settings';
import { createSupervisor } from './supervisor';

/** npm passes on a signal that the terminal has already sent to us. A second Ctrl-C of a person comes later. */
const SAME_SIGNAL_WITHIN_MS = 1_000;
/** Nothing listens there, so without Temporal the API cannot reach the Temporal of another sandbox. */
const NOWHERE = '127.0.0.1:1';
/** What a shell gives for a program that a signal interrupted. */
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

async function main(): Promise<void> {
  const options = readOptions();
  // With --json, a program reads the standard output.
  const print = printer(options.json ? process.stderr : process.stdout);
  try {
    await run(options, print);
  } catch (error) {
    print.line(`\n  ✗ ${told(error)}\n`);
    process.exit(1);
  }
}

interface Options {
  json: boolean;
  once: boolean;
  withoutTemporal: boolean;
  databaseOnly: boolean;
}

function readOptions(): Options {
  return new Command('npm start --')
    .description('Runs the sandbox: Postgres, Temporal, worker and API, with a partner and its key.')
    .option('--json', 'print the addresses and the key as one JSON object, progress to standard error', false)
    .option('--once', 'run the demo against it, stop, and end with the result of the demo', false)
    .option('--without-temporal', 'run without Temporal and worker: what is accepted with 202 waits', false)
    .addOption(
      new Option('--database-only', 'run Postgres alone, for `npm run restore`')
        .default(false)
        .conflicts(['json', 'once', 'withoutTemporal']),
    )
    .parse()
    .opts<Options>();
}

async function run(options: Options, print: Printer): Promise<void> {
  const startedAt = Date.now();
  const settings = readSettings();
  const wanted = wantedPorts(settings);
  const ports = options.databaseOnly ? null : await choosePorts(wanted);
  const folder = takeFolder(settings.DATA_DIR);
  const interrupted = new AbortController();
  const supervisor = createSupervisor(print, (sentence) => void end(`  ✗ ${sentence}`, 1));
  let isReady = false;

  /** Ends everything, once. A program that is starting at this moment ends when its pipe to us closes. */
  async function end(why: string, exitCode: number): Promise<void> {
    if (interrupted.signal.aborted) return;
    interrupted.abort();
    print.line(`\n${why}`);
    await supervisor.stop();
    folder.release();
    process.exit(exitCode);
  }
  onSignals((signal) => void end('  Stopping', isReady ? 0 : SIGNAL_CODES[signal]));
  if (settings.END_WITH_PARENT) process.stdin.on('end', () => void end('  Stopping', 0)).resume();

  const start: Start = { settings, folder, print, supervisor, signal: interrupted.signal };
  const withTemporal = !options.withoutTemporal;
  const showsWebhooks = withTemporal && !options.json && !options.once;
  try {
    if (ports === null) {
      const { POSTGRES_PORT } = await choosePorts({ POSTGRES_PORT: wanted.POSTGRES_PORT });
      const { databaseUrl } = await bringDatabase(start, POSTGRES_PORT);
      keepDatabaseUrl(folder.sandboxFile, databaseUrl);
      isReady = true;
      print.line(
        '\n  Postgres runs alone, so a backup can be restored (docs/how-to/restore.md). Ctrl-C stops it.',
      );
      return;
    }
    const sandbox = await bringUp(start, ports, { withTemporal });
    writePrivate(folder.sandboxFile, sandbox);
    if (options.json) process.stdout.write(`${JSON.stringify(sandbox)}\n`);
    else if (!options.once) tellHowToBegin(print, sandbox, folder);
  } catch (error) {
    // A step that a signal interrupted fails too. Then the end has begun already, and this call does nothing.
    await end(`  ✗ ${told(error)}\n`, 1);
    return;
  }
  isReady = true;
  const where = `data stay in ${shown(folder.path)}, logs in ${shown(folder.logs)}`;
  print.line(`  Ctrl-C stops everything; ${where}.   ready in ${seconds(Date.now() - startedAt)}`);
  freeMemoryWhenIdle();
  if (options.once) await end('  Stopping', await runDemo(settings.DATA_DIR, interrupted.signal));
  else if (showsWebhooks) tellWebhooks(print, folder.logs);
}

const wantedPorts = (settings: StartConfig) => ({
  PORT: { asked: settings.PORT, isFirm: true, host: settings.HOST },
  POSTGRES_PORT: { asked: settings.POSTGRES_PORT, isFirm: true },
  TEMPORAL_PORT: { asked: settings.TEMPORAL_PORT, preferred: 7233, isFirm: true },
  TEMPORAL_UI_PORT: { asked: settings.TEMPORAL_UI_PORT, preferred: 8233, isFirm: true },
  OPERATOR_PORT: { asked: settings.OPERATOR_PORT, isFirm: false },
  WORKER_OPERATOR_PORT: { asked: settings.WORKER_OPERATOR_PORT, isFirm: false },
});

/** Our own Temporal has these namespaces and no TLS, whatever the shell sets for the program `temporal`. */
const OWN_TEMPORAL = {
  TEMPORAL_NAMESPACE_SANDBOX: NAMESPACES[0],
  TEMPORAL_NAMESPACE_LIVE: NAMESPACES[1],
  ...Object.fromEntries(
    CONFIG_NAMES.filter((name) => /^TEMPORAL_(TLS|API_KEY)/.test(name)).map((name) => [name, '']),
  ),
};

type Ports = Record<keyof ReturnType<typeof wantedPorts>, number>;

/** Postgres with the current schema. */
async function bringDatabase(start: Start, port: number) {
  const databaseUrl = await bringPostgres(start, port);
  const urls = { ...start.settings, DATABASE_URL: databaseUrl };
  await bringSchema(start, urls);
  return { databaseUrl, urls };
}

async function bringUp(
  start: Start,
  ports: Ports,
  { withTemporal }: { withTemporal: boolean },
): Promise<Sandbox> {
  const { settings, folder, print } = start;
  const secrets = keepSecrets(folder.secretsFile);
  const loaded = {
    api: loadProcess(start, 'API'),
    worker: withTemporal ? loadProcess(start, 'Worker') : null,
  };
  const temporalPorts = { port: ports.TEMPORAL_PORT, uiPort: ports.TEMPORAL_UI_PORT };
  // Temporal has a database of its own, so it need not wait for ours. When one of the two fails, the other one is
  // waited for, because only a part that has come up can be stopped.
  const bringing = [
    bringDatabase(start, ports.POSTGRES_PORT),
    withTemporal ? bringTemporal(start, temporalPorts) : Promise.resolve(null),
  ] as const;
  await Promise.allSettled(bringing);
  const [{ databaseUrl, urls }, temporal] = await Promise.all(bringing);

  const ussdSecret = settings.USSD_CALLBACK_SECRET_SANDBOX ?? secrets.USSD_CALLBACK_SECRET_SANDBOX;
  const environment = {
    // Nobody else's data is in a Postgres that this program has made.
    ...(settings.NODE_ENV === undefined &&
      settings.DATABASE_URL === undefined && { NODE_ENV: 'development' }),
    // Each process has the addresses of its own logins alone, as in production.
    ...{ DATABASE_URL: '', DATABASE_URL_SANDBOX: '', DATABASE_URL_LIVE: '' },
    TEMPORAL_ADDRESS: temporal?.address ?? NOWHERE,
    ...(settings.TEMPORAL_ADDRESS === undefined && OWN_TEMPORAL),
    PORT: String(ports.PORT),
    OPERATOR_PORT: String(ports.OPERATOR_PORT),
    WORKER_OPERATOR_PORT: String(ports.WORKER_OPERATOR_PORT),
    // So that a receiver on this machine works at once (R35).
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    // The key will be in this file. The pages to try the API with read it there.
    DOCS_KEY_FILE: folder.sandboxFile,
    // Mails to nobody in particular: they are shown on a page of the API.
    MAIL_FOLDER: folder.mails,
  };
  const apiUrl = `http://localhost:${String(ports.PORT)}`;
  const operatorUrl = `http://localhost:${String(ports.OPERATOR_PORT)}`;
  const api = { name: 'API', detail: `listening on ${apiUrl}`, operatorPort: ports.OPERATOR_PORT } as const;
  const operatorPort = ports.WORKER_OPERATOR_PORT;
  const worker = { name: 'Worker', detail: NAMESPACES.join(', '), operatorPort } as const;
  await Promise.all([
    bringProcess(start, api, loaded.api, {
      ...environment,
      ...secretsFor('api', settings, secrets),
      ...programUrls(urls, 'api'),
    }),
    ...(loaded.worker
      ? [
          bringProcess(start, worker, loaded.worker, {
            ...environment,
            PUBLIC_URL: apiUrl,
            ...secretsFor('worker', settings, secrets),
            ...programUrls(urls, 'worker'),
          }),
        ]
      : []),
  ]);

  const { key, isNew } = await sandboxKey(folder.sandboxFile, databaseUrl, apiUrl);
  const operator = await operatorToken(folder.sandboxFile, databaseUrl, operatorUrl);
  print.done('Sandbox partner', isNew ? 'one partner with a new key' : 'the same partner and key as before');
  return {
    api_url: apiUrl,
    docs_url: `${apiUrl}/docs`,
    ...(temporal && { mails_url: `${apiUrl}/mails` }),
    ...(temporal?.uiUrl ? { temporal_ui_url: temporal.uiUrl } : {}),
    ...(temporal && { temporal_address: temporal.address }),
    database_url: databaseUrl,
    sandbox_key: key,
    ussd_callback_url: `${apiUrl}/v1/ussd/callback/${pathSecret(ussdSecret)}`,
    operator_url: operatorUrl,
    operator_token: operator,
    secrets_file: folder.secretsFile,
  };
}

function tellHowToBegin(print: Printer, sandbox: Sandbox, folder: Folder): void {
  const {
    api_url,
    docs_url,
    mails_url,
    temporal_ui_url,
    database_url,
    sandbox_key,
    operator_url,
    operator_token,
  } = sandbox;
  const rows = [
    ['API', api_url],
    ['Docs', `${docs_url}   (try it: the key is filled in)`],
    ...(mails_url === undefined ? [] : [['Mails', mails_url]]),
    ...(temporal_ui_url === undefined ? [] : [['Temporal UI', temporal_ui_url]]),
    ['Database', database_url],
    ['Sandbox key', `${sandbox_key}   (also in ${shown(folder.sandboxFile)}, mode 600)`],
    ['Operator port', `${operator_url}   token ${operator_token}`],
    ['Logs', shown(folder.logs)],
  ];
  print.line('');
  for (const [name = '', value = ''] of rows) print.line(`    ${name.padEnd(14)}${value}`);
  print.line(`
  Create your first wallet:
    curl -sX POST ${api_url}/v1/wallets -H "Authorization: Bearer ${sandbox_key}" -H 'Content-Type: application/json' -d '{"user_ref":"ada"}'
  or in another terminal:   npm run demo`);
}

/** Prints each webhook that goes out, and the receiver's answer, until the end. */
function tellWebhooks(print: Printer, logs: string): void {
  follow(join(logs, 'worker.log'), (entry) => attemptLines(entry)?.forEach((line) => print.note(line)));
}

/** @returns the exit code of the demo. */
function runDemo(dataDir: string, signal: AbortSignal): Promise<number> {
  const demo = spawn(process.execPath, [join(projectFolder(), 'dist', 'examples', 'demo', 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: childEnvironment({ DATA_DIR: dataDir }),
    signal,
  });
  return new Promise((resolve) => {
    demo.once('error', () => resolve(1)).once('exit', (code) => resolve(code ?? 1));
  });
}

/** Tells of the first signal. A second one from a person ends us at once; the parts end when their pipes close. */
function onSignals(tell: (signal: keyof typeof SIGNAL_CODES) => void): void {
  let askedAt: number | undefined;
  for (const signal of Object.keys(SIGNAL_CODES) as (keyof typeof SIGNAL_CODES)[]) {
    process.on(signal, () => {
      if (askedAt === undefined) tell(signal);
      else if (Date.now() - askedAt > SAME_SIGNAL_WITHIN_MS) process.exit(1);
      askedAt ??= Date.now();
    });
  }
  // When the terminal is gone, writing to it fails. The parts are stopped in order then, too.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => tell('SIGHUP'));
}

/** What is wrong, for a person. Only an error that nobody expected is shown with its stack. */
function told(error: unknown): string {
  const isKnown = [StartError, ConfigError, MigrationError, SetUpError].some((kind) => error instanceof kind);
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  const words = isKnown ? message : stack;
  // Another program may take a port between our look at the port and our use of it.
  const isLost = /EADDRINUSE|address already in use|could not bind/i.test(words);
  const remedy = isLost ? '. Another program has taken this port meanwhile; run npm start again' : '';
  return `${words}${remedy}`.replaceAll('\n', '\n    ');
}

void main();
