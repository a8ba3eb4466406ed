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

/** How the fake company is run: as it was built where we were, and else from its source. */
export function programOf(name: string): string[] {
  const kind = extname(__filename);
  const main = join(__dirname, '..', 'standins', name, `main${kind}`);
  return kind === '.js' ? [main] : ['--import', 'tsx', main];
}

/** @param name its folder in test/standins. */
export async function openFakeCompany<State extends FakeState>(name: string): Promise<FakeCompany<State>> {
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

  const set = async (settings: Partial<State['settings']>): Promise<void> => {
    await fetch(`${controlUrl}/settings`, { method: 'PUT', body: JSON.stringify(settings) });
  };
  return {
    url,
    set,
    async faulty(requests, fault) {
      const faults: FakeState['settings'] = { faults: requests.map((on) => ({ ...fault, on })) };
      await set(faults);
      return () => set({ faults: [] });
    },
    state: async () => (await (await fetch(controlUrl)).json()) as State,
    async close() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
