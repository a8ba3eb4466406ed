/**
 * Finds the sandbox that the demo talks to: the running one that `.data/sandbox.json` describes (R36),
 * or one started for the length of the demo.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { childEnvironment } from '../../src/runtime/config';
import { dataFiles, projectFolder } from '../../src/administration/project';
import { BrokenPromise } from './check';

const HEALTH_TIMEOUT_MS = 2_000;

const description = z.object({
  api_url: z.url(),
  sandbox_key: z.string(),
  docs_url: z.url().optional(),
  temporal_ui_url: z.url().optional(),
});
type Description = z.infer<typeof description>;

interface Sandbox {
  readonly apiUrl: string;
  readonly key: string;
  /** A page where the results can be seen afterwards; none for a sandbox that ends with the demo. */
  readonly pageUrl: string | undefined;
}

/**
 * A sandbox that answers on /health.
 * @param onStart gets the function that stops the sandbox, if one is started here.
 * @throws BrokenPromise when the started one ends before it is ready.
 */
export async function findSandbox(
  dataDir: string,
  onStart: (stop: () => Promise<void>) => void,
): Promise<Sandbox> {
  const running = await readDescription(dataFiles(dataDir).sandboxFile);
  if (running !== undefined && (await isHealthy(running.api_url))) {
    return {
      apiUrl: running.api_url,
      key: running.sandbox_key,
      pageUrl: running.docs_url ?? running.temporal_ui_url,
    };
  }
  return startSandbox(onStart);
}

async function startSandbox(onStart: (stop: () => Promise<void>) => void): Promise<Sandbox> {
  const child = spawn(process.execPath, ['scripts/start.mjs', '--json'], {
    cwd: projectFolder(),
    // The sandbox has a session of its own, so that the demo ends it, and not the end of the terminal before that.
    detached: true,
    // Nothing is written to its input. The sandbox ends when its input closes, even if the demo was killed.
    stdio: ['pipe', 'pipe', 'inherit'],
    env: childEnvironment({ END_WITH_PARENT: 'true' }),
  });
  onStart(() => interrupt(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = parseDescription(line);
    if (ready === undefined) continue;
    // Its later lines are read and dropped, because a full pipe would block the sandbox.
    child.stdout.resume();
    return { apiUrl: ready.api_url, key: ready.sandbox_key, pageUrl: undefined };
  }
  throw new BrokenPromise('the sandbox ended before it was ready; npm start says why');
}

async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
}

async function isHealthy(apiUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${apiUrl}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function readDescription(file: string): Promise<Description | undefined> {
  try {
    return parseDescription(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseDescription(text: string): Description | undefined {
  try {
    return description.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
