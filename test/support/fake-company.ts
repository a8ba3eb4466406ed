/** A fake company of test/standins as a process for one test file, which arranges it by its control port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FakeState, Fault } from '../standins/kit';

export interface FakeCompany<State extends FakeState> {
  readonly url: string;
  /** Changes its settings. */
  set(settings: Partial<State['settings']>): Promise<void>;
  /** Every one of these requests has the fault. @returns a function that takes all faults away. */
  faulty(requests: readonly string[], fault: Omit<Fault, 'on'>): Promise<() => Promise<void>>;
  state(): Promise<State>;
  close(): Promise<void>;
}

/** A fake company that runs. */
export interface RunningFake {
  readonly url: string;
  /** Arranges something by its control port. */
  put(path: string, body: object): Promise<void>;
  /** What its control port tells. */
  state(): Promise<unknown>;
  close(): Promise<void>;
}

/** How the fake company is run: as it was built where we were, and else from its source. */
function programOf(name: string): string[] {
  const kind = extname(__filename);
  const main = join(__dirname, '..', 'standins', name, `main${kind}`);
  return kind === '.js' ? [main] : ['--import', 'tsx', main];
}

/** @param name its folder in test/standins. */
export async function startFake(name: string): Promise<RunningFake> {
  const folder = mkdtempSync(join(tmpdir(), `fake-${name}-`));
  const child = spawn(process.execPath, [...programOf(name), '--folder', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error(`the fake ${name} did not start`))),
  ])) as [string];
  const { url, controlUrl } = JSON.parse(line) as { url: string; controlUrl: string };
  return {
    url,
    async put(path, body) {
      await fetch(controlUrl + path, { method: 'PUT', body: JSON.stringify(body) });
    },
    state: async () => (await fetch(controlUrl)).json(),
    async close() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** @param name its folder in test/standins. */
export async function openFakeCompany<State extends FakeState>(name: string): Promise<FakeCompany<State>> {
  const { url, put, state, close } = await startFake(name);
  const set = (settings: Partial<State['settings']>): Promise<void> => put('/settings', settings);
  return {
    url,
    set,
    async faulty(requests, fault) {
      const faults: FakeState['settings'] = { faults: requests.map((on) => ({ ...fault, on })) };
      await set(faults);
      return () => set({ faults: [] });
    },
    state: async () => (await state()) as State,
    close,
  };
}
