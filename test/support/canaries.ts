/** Looks for secrets that a test sent through the platform, wherever they could have been written down. */
import { createHash } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { logLines } from './log';
import type { Platform } from './platform';

/** Texts that cannot occur anywhere by chance, by the names under which they are reported. */
export type Canaries = Readonly<Record<string, string>>;

/** The encodings in which a secret could be written down without being sealed. */
export function written(text: string): string[] {
  const bytes = Buffer.from(text);
  const digest = createHash('sha256').update(bytes).digest();
  return [
    text,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    digest.toString('hex'),
    digest.toString('base64url'),
  ];
}

/** The canaries that occur in a text, in any of these encodings. */
export const foundIn = (canaries: Canaries, text: string): string[] =>
  Object.entries(canaries)
    .filter(([, canary]) => written(canary).some((way) => text.includes(way)))
    .map(([name]) => name);

/** Every table with the canaries that its rows show, and how many rows there were. */
export async function tablesOf(platform: Platform, canaries: Canaries) {
  const tables = await platform.sql(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname !~ '^pg_' AND nspname <> 'information_schema'`,
  );
  const seen: { name: string; rows: number; found: string[] }[] = [];
  for (const { name } of tables) {
    const rows = await platform.sql(`SELECT t::text AS row FROM ${name as string} t`);
    const found = rows.flatMap(({ row }) => foundIn(canaries, row as string));
    seen.push({ name: name as string, rows: rows.length, found });
  }
  return seen;
}

/** Every workflow with the canaries that Temporal shows of it. */
export async function workflowsOf(platform: Platform, canaries: Canaries) {
  const connection = await Connection.connect({ address: platform.temporal.address });
  const seen: { workflowId: string; type: string; found: string[] }[] = [];
  for (const namespace of ['wallet-sandbox', 'wallet-live']) {
    const operator = new Client({ connection, namespace });
    for await (const { workflowId, runId, type, raw } of operator.workflow.list()) {
      const history = await operator.workflow.getHandle(workflowId, runId).fetchHistory();
      seen.push({ workflowId, type, found: foundIn(canaries, asText([history, raw])) });
    }
  }
  await connection.close();
  return seen;
}

/** JSON in which bytes, such as payloads, are shown as text. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Uint8Array) return Buffer.from(part).toString('utf8');
    return isBufferJson(part) ? Buffer.from(part.data).toString('utf8') : part;
  });
}

const isBufferJson = (part: unknown): part is { type: 'Buffer'; data: number[] } =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part;

/**
 * The tests that end a file: no canary that went through a platform of this process is readable anywhere.
 * @param seen how much there is to look at, at least: lines of the log, rows, and workflows by how their ids begin.
 */
export function testThatNoneIsReadable(
  platform: () => Platform,
  canaries: () => Canaries,
  seen: { lines: number; rows: number; workflows: Readonly<Record<string, number>> },
): void {
  describe('afterwards none of this is readable', () => {
    test('in the log', () => {
      const lines = logLines().map((line) => JSON.stringify(line));
      expect(lines.length).toBeGreaterThanOrEqual(seen.lines);
      expect(lines.filter((line) => foundIn(canaries(), line).length > 0)).toEqual([]);
    });

    test('in the history of a workflow', async () => {
      const workflows = await workflowsOf(platform(), canaries());
      for (const [beginning, count] of Object.entries(seen.workflows)) {
        const of = workflows.filter(({ workflowId }) => workflowId.startsWith(beginning));
        expect(of.length).toBeGreaterThanOrEqual(count);
      }
      expect(workflows.filter(({ found }) => found.length > 0)).toEqual([]);
    });

    test('in a table', async () => {
      const tables = await tablesOf(platform(), canaries());
      expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(seen.rows);
      expect(tables.filter(({ found }) => found.length > 0)).toEqual([]);
    });
  });
}
