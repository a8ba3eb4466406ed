/**
 * The platform with its Temporal, the API and the worker. The scenarios that need all of it share one, because
 * it takes longer to come up than a row needs; each leaves it idle: no endpoint, no transfer under way.
 */
import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { pathSecret } from '../../src/wire/ussd-gateway';
import type { Watched } from './usage';
import { openBenchPlatform, type BenchPlatform, type Program } from './platform';
import { API, WORKER } from './programs';
import { openTemporal, type BenchTemporal } from './temporal';

export interface WholePlatform extends BenchPlatform {
  temporal: BenchTemporal;
  api: Program;
  worker: Program;
  /** Kills a program as the kernel would, without any warning. @returns what starts it again, on the same port. */
  kill(name: 'api' | 'worker'): Promise<() => Promise<void>>;
  /** Starts another worker, and then tells the one that runs to end, as a rolling restart does. */
  replaceWorker(): Promise<void>;
  /** The processes whose CPU and memory are reported. */
  watched: readonly Watched[];
  /** Where a USSD gateway calls. */
  gatewayUrl: string;
  /** One call of the partner. @returns `data` of its answer. @throws when it is not a 2xx. */
  call<Data>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Data>;
}

let opened: Promise<WholePlatform> | undefined;

/** The shared platform, which is opened when it is asked for first. */
export const wholePlatform = (): Promise<WholePlatform> => (opened ??= openWholePlatform());

export async function closeWholePlatform(): Promise<void> {
  await (await opened)?.close();
}

/** One that is not shared. @param openIts starts its Temporal; the address is that of the Postgres of the ledger. */
export async function openWholePlatform(
  openIts: (databaseUrl: string) => Promise<BenchTemporal> = openTemporal,
): Promise<WholePlatform> {
  const platform = await openBenchPlatform();
  const temporal = await openIts(platform.databaseUrl);
  const ussdSecret = randomBytes(32).toString('base64');
  const settings = {
    TEMPORAL_ADDRESS: temporal.address,
    USSD_CALLBACK_SECRET_SANDBOX: ussdSecret,
    // The bench's receivers are on this machine.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    // All receivers are one host here, and what is measured is what the worker can send.
    WEBHOOK_HOST_PER_SECOND_SANDBOX: '100000',
    // The bank answers at once: what is measured is ours, and not how long a simulated bank takes.
    SANDBOX_TRANSFER_MS: '0,0',
  };
  const entries = { api: API, worker: WORKER };
  const [api, worker] = await Promise.all([platform.start(API, settings), platform.start(WORKER, settings)]);
  const url = `http://127.0.0.1:${String(api.port)}`;
  /** Those that run now: a killed program has another process after it. */
  const programs = { api, worker };
  return {
    ...platform,
    temporal,
    get api() {
      return programs.api;
    },
    get worker() {
      return programs.worker;
    },
    get watched() {
      return [
        { name: 'API', pid: programs.api.pid },
        { name: 'worker', pid: programs.worker.pid },
        { name: 'Postgres', pid: platform.postgresPid },
        { name: 'Temporal', pid: temporal.pid },
      ];
    },
    async kill(name) {
      const { pid, port, ended } = programs[name];
      process.kill(pid, 'SIGKILL');
      await ended;
      return async () => {
        programs[name] = await platform.start(entries[name], { ...settings, PORT: String(port) });
      };
    },
    async replaceWorker() {
      const { pid, ended } = programs.worker;
      programs.worker = await platform.start(WORKER, settings);
      process.kill(pid, 'SIGTERM');
      await ended;
    },
    gatewayUrl: `${url}/v1/ussd/callback/${pathSecret(ussdSecret)}`,
    async call<Data>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Data> {
      const answer = await request(url + path, {
        method,
        headers: { authorization: `Bearer ${platform.key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300)
        throw new Error(`${path} was answered ${String(answer.statusCode)}: ${text}`);
      return (text === '' ? null : (JSON.parse(text) as { data: Data }).data) as Data;
    },
    async close() {
      await platform.close();
      await temporal.stop();
    },
  };
}
