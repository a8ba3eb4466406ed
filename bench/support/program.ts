/**
 * Programs of the bench that run as processes of their own: they take commands as JSON on their port, say when
 * they are ready, and end with the bench.
 */
import { createServer } from 'node:http';
import { request } from 'undici';
import type { Program } from './platform';

/** What a program does when it is asked to, by name. */
export type Commands = Record<string, (order: never) => unknown>;

/** Serves commands on the port that the bench has chosen, until the bench ends. */
export function serveCommands(commands: Commands): void {
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      const command = commands[incoming.url?.slice(1) ?? ''] as ((order: unknown) => unknown) | undefined;
      void Promise.resolve(command?.(JSON.parse(text))).then((result) =>
        outgoing.end(JSON.stringify(result ?? null)),
      );
    });
  });
  server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
  endWithTheBench();
}

/** Ends this process when the bench ends or asks it to: both close its standard input. */
export function endWithTheBench(): void {
  process.stdin.resume().on('end', () => process.exit());
}

/** Gives a program a command. @returns what it answers, when it has done it. */
export async function command<Result>({ port }: Program, name: string, order: object = {}): Promise<Result> {
  const { statusCode, body } = await request(`http://127.0.0.1:${String(port)}/${name}`, {
    method: 'POST',
    body: JSON.stringify(order),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  if (statusCode !== 200) throw new Error(`${name} was answered ${String(statusCode)}`);
  return (await body.json()) as Result;
}
