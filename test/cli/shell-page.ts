/**
 * The shell commands of a Markdown page: runs them in their order in one bash, and keeps what each block printed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../../src/administration/project';

export interface ShellExample {
  readonly commands: string;
  /**
   * What the commands print, as the page says; `…` stands for any text in a line. Empty where the page says
   * nothing.
   */
  readonly output: string;
}

/**
 * Each block of `sh` on a page of this checkout, with the block of `text` that follows it before the next heading.
 */
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
 * Runs all blocks in one bash, in `folder`, and ends what they left running. A block that has not
 * ended after `withinMs` is ended.
 * @returns what each block printed: its standard output, and then its standard error, which a person would see
 * too.
 */
export async function printedBy(
  examples: readonly ShellExample[],
  { folder, withinMs }: { folder: string; withinMs: number },
): Promise<string[]> {
  // bash gets a process group of its own, so that what the blocks start in the background ends with it.
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
    // No process of the group runs any more.
  }
}

/** What a test expects of a block: the printed output where it agrees with the page, else the text of the page. */
export function expectedOf({ output }: ShellExample, printed: string): string {
  const pattern = output
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\n]+');
  return new RegExp(`^${pattern}$`).test(printed) ? printed : output;
}
