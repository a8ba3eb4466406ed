/** What `npm start -- --json` prints and `.data/sandbox.json` holds: how to reach the running sandbox (R36). */
import { randomUUID } from 'node:crypto';
import { readPrivate } from '../../src/administration/private-file';
import { seedOperator, seedSandboxPartner } from './seed';

export interface Sandbox {
  readonly api_url: string;
  readonly docs_url: string;
  /** Absent when Temporal is somebody else's. */
  readonly temporal_ui_url?: string;
  /** Absent when the sandbox runs without Temporal. */
  readonly temporal_address?: string;
  readonly database_url: string;
  readonly sandbox_key: string;
  /** Where a USSD gateway calls the sandbox. */
  readonly ussd_callback_url: string;
  /** The operator port and the token of its first operator. */
  readonly operator_url: string;
  readonly operator_token: string;
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
  const kept = keptFile(sandboxFile)?.sandbox_key;
  if (kept !== undefined && (await opens(`${apiUrl}/v1/wallets/${randomUUID()}`, kept)))
    return { key: kept, isNew: false };
  const { key: made } = await seedSandboxPartner(databaseUrl, { newKey: true });
  if (made === null) throw new Error('no key was made');
  return { key: made, isNew: true };
}

/** The token of the sandbox's operator: the kept one while it works, else a new one. */
export async function operatorToken(
  sandboxFile: string,
  databaseUrl: string,
  operatorUrl: string,
): Promise<string> {
  const kept = keptFile(sandboxFile)?.operator_token;
  if (kept !== undefined && (await opens(`${operatorUrl}/ops/partners`, kept))) return kept;
  return seedOperator(databaseUrl);
}

function keptFile(sandboxFile: string): Partial<Sandbox> | undefined {
  try {
    return readPrivate(sandboxFile) as Partial<Sandbox> | undefined;
  } catch {
    return undefined;
  }
}

async function opens(url: string, key: string): Promise<boolean> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status !== 401;
}
