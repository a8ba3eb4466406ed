/**
 * `npm run clients`: makes the clients of other languages from the reference document, and has each of them pay once in a
 * sandbox that is started for it; the SDK pays on Node, Bun and Deno, and the collections are sent. Packages come from
 * their registries into a temporary folder. A client whose language is not on this machine is named, and the command
 * fails then: nothing passes that was not tried. `npm run clients -- python node` tries these alone.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Argument, Command } from 'commander';
import { signWebhook, WalletClient } from '../../sdk/src';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { CLIENTS, type Stage } from './clients';

const folder = mkdtempSync(join(tmpdir(), 'wallet-clients-'));

/** @returns the address of a sandbox of our own, and what ends it. */
async function startSandbox(): Promise<{ url: string; stop: () => Promise<void> }> {
  const own = { DATABASE_URL: '', TEMPORAL_ADDRESS: '', PORT: '0', END_WITH_PARENT: 'true' };
  const child = spawn(process.execPath, [join(projectFolder(), 'scripts', 'start.mjs'), '--json'], {
    cwd: folder,
    // It ends when its input closes, even if we are killed.
    stdio: ['pipe', 'pipe', 'ignore'],
    env: childEnvironment({ ...own, DATA_DIR: join(folder, 'data') }),
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return { url: (JSON.parse(line) as { api_url: string }).api_url, stop };
  }
  throw new Error('the sandbox did not start; npm start says why');
}

/** A partner of its own has a rate limit of its own. @returns its key. */
async function partnerKey(url: string): Promise<string> {
  const [email, password] = [`owner-${randomUUID()}@acme.example`, 'seven green kettles'];
  const stranger = new WalletClient({ apiKey: 'none', baseUrl: url });
  await stranger.auth.register({ business_name: 'Acme', email, phone: '+2348012345678', password });
  const { access_token: apiKey } = await stranger.auth.login({ email, password });
  return (await new WalletClient({ apiKey, baseUrl: url }).apiKeys.create({ label: 'clients' })).key;
}

/** A delivery that was signed just now. @returns the path of its file. */
async function delivery(): Promise<string> {
  const secret = `sk_wh_${Buffer.alloc(24, 7).toString('base64')}`;
  const timestamp = new Date().toISOString();
  const content = {
    event: 'transaction.completed',
    data: { note: 'Ọláwálé ₦' },
    timestamp,
    webhook_id: 'wh_1',
  };
  const body = JSON.stringify(content);
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = await signWebhook(body, secret, { id: 'wh_1', timestampSeconds });
  const path = join(folder, 'delivery.json');
  writeFileSync(path, JSON.stringify({ body, headers, secret }));
  return path;
}

/** Runs a program. @throws Error with all that it has said, when it fails. */
async function run(cwd: string, env: Record<string, string>, program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { cwd, env: childEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (said += part));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${said}`);
}

async function play(name: string, url: string): Promise<'passed' | 'failed' | 'not tried'> {
  const { needs, program, play: playIt } = CLIENTS[name]!;
  if (spawnSync(program, ['--help'], { stdio: 'ignore' }).error) {
    console.log(
      `!!! ${name} was not tried: install ${needs}, whose program ${program} is not on the PATH here`,
    );
    return 'not tried';
  }
  const startedAt = Date.now();
  const own = join(folder, name);
  mkdirSync(own);
  const key = await partnerKey(url);
  const env = { WALLET_BASE_URL: url, WALLET_API_KEY: key, WALLET_DELIVERY: await delivery() };
  const stage: Stage = { folder: own, url, key, run: (word, ...args) => run(own, env, word, args) };
  const failure = await playIt(stage).then(
    () => null,
    (error: unknown) => error as Error,
  );
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    failure ? `!!! ${name} failed after ${seconds} s\n${failure.message}` : `    ${name}  ${seconds} s`,
  );
  return failure ? 'failed' : 'passed';
}

async function main(): Promise<void> {
  const { args } = new Command('clients')
    .addArgument(new Argument('[names...]', 'which').choices(Object.keys(CLIENTS)))
    .parse();
  const { url, stop } = await startSandbox();
  const results: string[] = [];
  try {
    for (const name of args.length > 0 ? args : Object.keys(CLIENTS)) results.push(await play(name, url));
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const count = (result: string): string => String(results.filter((one) => one === result).length);
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('not tried')} not tried`);
  if (results.some((one) => one !== 'passed')) process.exitCode = 1;
}

void main();
