/** What `npm start -- --json` prints and `.data/sandbox.json` holds: how to reach the running sandbox (R36). */
import { randomUUID } from 'node:crypto';
import { readPrivate, writePrivate } from '../../src/administration/private-file';
import { ask } from './ask';
import { seedOperator, seedSandboxKey } from './seed';

export interface Sandbox {
  readonly api_url: string;
  readonly docs_url: string;
  /** The page with the mails. Absent when the sandbox runs without a worker, which sends them. */
  readonly mails_url?: string;
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
  const { sandbox_key: kept = '' } = keptFile(sandboxFile);
  if (await opens(`${apiUrl}/v1/wallets/${randomUUID()}`, kept)) return { key: kept, isNew: false };
  return { key: await seedSandboxKey(databaseUrl), isNew: true };
}

/** The token of the sandbox's operator: the kept one while it works, else a new one. */
export async function operatorToken(
  sandboxFile: string,
  databaseUrl: string,
  operatorUrl: string,
): Promise<string> {
  const { operator_token: kept = '' } = keptFile(sandboxFile);
  return (await opens(`${operatorUrl}/ops/partners`, kept)) ? kept : seedOperator(databaseUrl);
}

/** Lets the administrator's commands find the database while it runs without API and worker. */
export function keepDatabaseUrl(sandboxFile: string, databaseUrl: string): void {
  writePrivate(sandboxFile, { ...keptFile(sandboxFile), database_url: databaseUrl });
}

function keptFile(sandboxFile: string): Partial<Sandbox> {
  try {
    return (readPrivate(sandboxFile) as Partial<Sandbox> | undefined) ?? {};
  } catch {
    return {};
  }
}

async function opens(url: string, key: string): Promise<boolean> {
  if (key === '') return false;
  const { status } = await ask(url, { authorization: `Bearer ${key}` });
  return status !== 401;
}
