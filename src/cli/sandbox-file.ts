/** What `npm start -- --json` prints and `.data/sandbox.json` holds: how to reach the running sandbox (R36). */
import { randomUUID } from 'node:crypto';
import { readPrivate } from './private-file';
import { seedSandboxPartner } from './seed';

export interface Sandbox {
  readonly api_url: string;
  readonly docs_url: string;
  /** Absent when Temporal is somebody else's. */
  readonly temporal_ui_url?: string;
  /** Absent when the sandbox runs without Temporal. */
  readonly temporal_address?: string;
  readonly database_url: string;
  readonly sandbox_key: string;
  readonly secrets_file: string;
}

/**
 * The key of the sandbox's partner: the same at every start. Only a hash of it is stored with the partner,
 * so when our file was lost, or belongs to another database, a new key is made.
 * @param apiUrl of the running API, which says whether the kept key opens it.
 */
export async function sandboxKey(
  sandboxFile: string,
  databaseUrl: string,
  apiUrl: string,
): Promise<{ key: string; isNew: boolean }> {
  const { key: first } = await seedSandboxPartner(databaseUrl);
  if (first !== null) return { key: first, isNew: true };
  const kept = keptKey(sandboxFile);
  if (kept !== undefined && (await opens(apiUrl, kept))) return { key: kept, isNew: false };
  const { key: made } = await seedSandboxPartner(databaseUrl, { newKey: true });
  if (made === null) throw new Error('no key was made');
  return { key: made, isNew: true };
}

function keptKey(sandboxFile: string): string | undefined {
  try {
    return (readPrivate(sandboxFile) as Partial<Sandbox> | undefined)?.sandbox_key;
  } catch {
    return undefined;
  }
}

async function opens(apiUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/v1/wallets/${randomUUID()}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.body?.cancel();
  return response.status !== 401;
}
