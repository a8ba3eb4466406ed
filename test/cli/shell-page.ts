/** The shell commands of a Markdown page: run in their order in one bash, and what each block printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../../src/administration/project';

export interface ShellExample {
  readonly commands: string;
  /** What the page says that the commands print; `…` stands for any text in a line. Empty where it says nothing. */
  readonly output: string;
}

/** Each block of `sh` on a page of this checkout, with the block of `text` that follows it before the next heading. */
export function examplesOf(page: string): ShellExample[] {
  const text = readFileSync(join(projectFolder(), page), 'utf8');
  const blocks = [...text.matchAll(/^```(sh|text)\n([^]*?)\n```$|^#/gm)];
  return blocks.flatMap(([, kind, commands = ''], place) => {
    if (kind !== 'sh') return [];
    const next = blocks[place + 1];
    return [{ commands, output: next?.[1] === 'text' ? (next[2] ?? '') : '' }];
  });
}

const END_OF_BLOCK = '--- the block ends ---';

/**
 * Runs all blocks in one bash, in `folder`, and ends what they left running. A block that waits for something in vain
 * is ended after `withinMs`.
 * @returns what each block printed: its standard output, and then its standard error, which a person would see too.
 */
export async function printedBy(
  examples: readonly ShellExample[],
  { folder, withinMs }: { folder: string; withinMs: number },
): Promise<string[]> {
  // A group of its own, so that what the blocks start in the background can be ended with it.
  const bash = spawn('bash', ['-s'], { cwd: folder, detached: true });
  const out = collected(bash.stdout);
  const err = collected(bash.stderr);
  const script = examples.map(
    ({ commands }) => `${commands}\necho '${END_OF_BLOCK}'; echo '${END_OF_BLOCK}' >&2\n`,
  );
  bash.stdin.end(script.join(''));
  const timer = new AbortController();
  const late = sleep(withinMs, undefined, { signal: timer.signal }).catch(() => undefined);
  const closed = once(bash, 'close');
  await Promise.race([once(bash, 'exit'), late]);
  timer.abort();
  endGroup(bash.pid);
  await closed;
  return examples.map((_, place) => `${out()[place] ?? ''}${err()[place] ?? ''}`.trimEnd());
}

/** @returns a function that gives what each block has written so far. */
function collected(stream: NodeJS.ReadableStream): () => string[] {
  let written = '';
  stream.setEncoding('utf8').on('data', (part: string) => (written += part));
  return () => written.split(`${END_OF_BLOCK}\n`);
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group runs any more.
  }
}

/** What a test expects of a block: what it printed where that agrees with the page, and else what the page says. */
export function expectedOf({ output }: ShellExample, printed: string): string {
  const pattern = output
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\n]+');
  return new RegExp(`^${pattern}$`).test(printed) ? printed : output;
}
