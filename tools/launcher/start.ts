/**
 * `npm start`: the whole sandbox from one command. Postgres, schema, Temporal, worker, API and a partner with
 * a key come up in this order, are told line by line, and go down together. Not for production.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigError, SECRET_NAMES, childEnvironment } from '../../src/runtime/config';
import { attemptLines, follow } from './live-lines';
import { assertFree, freePort, portNear } from './ports';
import { printer, seconds, type Printer } from './print';
import { writePrivate } from '../../src/administration/private-file';
import { StartError, projectFolder } from '../../src/administration/project';
import { operatorToken, sandboxKey, type Sandbox } from './sandbox-file';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { keepSecrets } from './secrets';
import { readSettings, takeFolder } from './start-settings';
import {
  NAMESPACES,
  bringPostgres,
  bringProcess,
  bringSchema,
  bringTemporal,
  shown,
  type Part,
  type Start,
} from './start-steps';

/** First who takes requests, last what the others need. */
const STOP_ORDER = ['API', 'Worker', 'Temporal', 'Postgres', 'folder'];
/** npm passes on the signal that the terminal has sent to us already; a person is slower. */
const SAME_SIGNAL_WITHIN_MS = 1_000;
/** Nothing listens there: another sandbox's Temporal must not be taken for ours. */
const NOWHERE = '127.0.0.1:1';

const running: Part[] = [];
let stopping: Promise<void> | undefined;

async function main(): Promise<void> {
  const options = readOptions();
  // With --json, standard output is for a program.
  const print = printer(options.json ? process.stderr : process.stdout);
  try {
    await run(options, print);
  } catch (error) {
    // What a signal interrupts fails too; that is no news.
    if (stopping !== undefined) return;
    print.line(`\n  ✗ ${told(error).replaceAll('\n', '\n    ')}\n`);
    await stopAll();
    process.exit(1);
  }
}

interface Options {
  json: boolean;
  once: boolean;
  /** False with --without-temporal. */
  withTemporal: boolean;
}

function readOptions(): Options {
  const command = new Command('npm start --')
    .description('Runs the sandbox: Postgres, Temporal, worker and API, with a partner and its key.')
    .option('--json', 'print the addresses and the key as one JSON object, progress to standard error', false)
    .option('--once', 'run the demo against it, stop, and end with the result of the demo', false)
    .option('--without-temporal', 'run without Temporal and worker: what is accepted with 202 waits');
  const { json, once, withoutTemporal } = command.parse().opts<{
    json: boolean;
    once: boolean;
    withoutTemporal?: true;
  }>();
  return { json, once, withTemporal: !withoutTemporal };
}

async function run(options: Options, print: Printer): Promise<void> {
  const startedAt = Date.now();
  const settings = readSettings();
  const port = settings.PORT === 0 ? await freePort() : settings.PORT;
  await assertFree('PORT', port, settings.HOST);
  const folder = takeFolder(settings.DATA_DIR);
  running.push({
    name: 'folder',
    stop: () => {
      folder.release();
      return Promise.resolve();
    },
  });
  stopOnSignals(print);

  const start: Start = { settings, folder, print, keep: (part) => void running.push(part) };
  const showsWebhooks = options.withTemporal && !options.json && !options.once;
  const sandbox = await bringUp(start, port, { withTemporal: options.withTemporal, showsWebhooks });
  writePrivate(folder.sandboxFile, sandbox);
  if (options.json) process.stdout.write(`${JSON.stringify(sandbox)}\n`);
  else if (!options.once) tellHowToBegin(print, sandbox, shown(folder.sandboxFile));
  print.line(
    `  Ctrl-C stops everything; data stay in ${shown(folder.path)}.   ready in ${seconds(Date.now() - startedAt)}`,
  );

  if (!options.once) {
    if (showsWebhooks) tellWebhooks(print, folder.logs);
    return;
  }
  const exitCode = await runDemo(settings.DATA_DIR);
  await stopAll();
  process.exit(exitCode);
}

async function bringUp(
  start: Start,
  port: number,
  { withTemporal, showsWebhooks }: { withTemporal: boolean; showsWebhooks: boolean },
): Promise<Sandbox> {
  const { settings, folder, print } = start;
  const secrets = keepSecrets(folder.secretsFile);
  const databaseUrl = await bringPostgres(start);
  await bringSchema(start, databaseUrl);
  const temporal = withTemporal ? await bringTemporal(start) : null;

  const ussdSecret = settings.USSD_CALLBACK_SECRET_SANDBOX ?? secrets.USSD_CALLBACK_SECRET_SANDBOX;
  const operatorPort = await portNear(settings.OPERATOR_PORT);
  const environment = {
    ...Object.fromEntries(SECRET_NAMES.map((name) => [name, settings[name] ?? secrets[name]])),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal?.address ?? NOWHERE,
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    WORKER_OPERATOR_PORT: String(await portNear(settings.WORKER_OPERATOR_PORT)),
    // So that a receiver on this machine works at once.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    // Where the key will be, so that the pages to try the API with have it filled in.
    DOCS_KEY_FILE: folder.sandboxFile,
  };
  const apiUrl = `http://localhost:${String(port)}`;
  const parts = [bringProcess(start, { name: 'API', detail: `listening on ${apiUrl}` }, environment)];
  if (temporal) {
    // The worker tells of each webhook at this level only.
    const talking = showsWebhooks ? { ...environment, LOG_LEVEL: 'debug' } : environment;
    parts.push(bringProcess(start, { name: 'Worker', detail: NAMESPACES.join(', ') }, talking));
  }
  watch(print, await Promise.all(parts));

  const { key, isNew } = await sandboxKey(folder.sandboxFile, databaseUrl, apiUrl);
  const operatorUrl = `http://localhost:${String(operatorPort)}`;
  const operator = await operatorToken(folder.sandboxFile, databaseUrl, operatorUrl);
  print.done('Sandbox partner', isNew ? 'one partner with a new key' : 'the same partner and key as before');
  return {
    api_url: apiUrl,
    docs_url: `${apiUrl}/docs`,
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

function tellHowToBegin(print: Printer, sandbox: Sandbox, sandboxFile: string): void {
  const { api_url, docs_url, temporal_ui_url, database_url, sandbox_key, operator_url, operator_token } =
    sandbox;
  const rows = [
    ['API', api_url],
    ['Docs', `${docs_url}   (try it: the key is filled in)`],
    ...(temporal_ui_url === undefined ? [] : [['Temporal UI', temporal_ui_url]]),
    ['Database', database_url],
    ['Sandbox key', `${sandbox_key}   (also in ${sandboxFile}, mode 600)`],
    ['Operator port', `${operator_url}   token ${operator_token}`],
  ];
  print.line('');
  for (const [name = '', value = ''] of rows) print.line(`    ${name.padEnd(14)}${value}`);
  print.line(`
  Create your first wallet:
    curl -sX POST ${api_url}/v1/wallets -H "Authorization: Bearer ${sandbox_key}" -H 'Content-Type: application/json' -d '{"user_ref":"ada"}'
  or in another terminal:   npm run demo`);
}

/** Until the end: what goes out to receivers, and what they say. */
function tellWebhooks(print: Printer, logs: string): void {
  follow(join(logs, 'worker.log'), (entry) => attemptLines(entry)?.forEach((line) => print.note(line)));
}

/** Without an API there is no sandbox; what else ends is told, and the rest keeps its promises without it. */
function watch(print: Printer, processes: Part[]): void {
  for (const part of new Set([...processes, ...running])) {
    void part.ended?.then(async (how) => {
      if (stopping !== undefined) return;
      print.line(`  ! ${part.name} ended: ${how}`);
      if (part.name !== 'API') return;
      await stopAll();
      process.exit(1);
    });
  }
}

async function runDemo(dataDir: string): Promise<number> {
  const demo = spawn(process.execPath, [join(projectFolder(), 'dist', 'examples', 'demo', 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: childEnvironment({ DATA_DIR: dataDir }),
  });
  return new Promise((resolve, reject) => {
    demo.once('error', reject).once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

function stopOnSignals(print: Printer): void {
  let askedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Asked again: our end is enough, because every part watches for it.
      if (askedAt !== undefined && Date.now() - askedAt > SAME_SIGNAL_WITHIN_MS) process.exit(1);
      if (askedAt !== undefined) return;
      askedAt = Date.now();
      print.line('\n  Stopping');
      void stopAll().then(() => process.exit(0));
    });
  }
}

function stopAll(): Promise<void> {
  stopping ??= (async () => {
    const place = ({ name }: Part) => STOP_ORDER.indexOf(name);
    for (const part of running.sort((one, other) => place(one) - place(other))) {
      // One that cannot be stopped must not keep the others running; it ends with us.
      await part.stop().catch(() => undefined);
    }
  })();
  return stopping;
}

function told(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

void main();
