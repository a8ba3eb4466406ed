/** Whom the command line speaks for, and where that is kept. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFile } from './project';
import { UsageError } from './usage';

/** A key that `wallet login` has made with a password, and how to log in to delete it. */
export interface OwnKey {
  apiUrl: string;
  email: string;
  environment: 'sandbox' | 'live';
  keyId: string;
}

export interface Login {
  apiUrl: string;
  apiKey: string;
  own?: OwnKey;
}

interface Kept extends Login {
  listenSecret: string;
}

const SECRET_BYTES = 24;

const fileOf = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'partner-wallet', 'config.json');

/**
 * The login that counts: the shell's, or else the kept one, or else the sandbox that runs in this checkout.
 * @throws UsageError when there is none of them.
 */
export function readLogin(env: NodeJS.ProcessEnv): Login {
  const kept = readKept(env);
  const apiKey = env['WALLET_API_KEY'] ?? kept.apiKey;
  const apiUrl = env['WALLET_BASE_URL'] ?? kept.apiUrl;
  if (apiKey !== undefined && apiUrl !== undefined) return { apiKey, apiUrl };
  const local = apiKey === undefined && apiUrl === undefined && findLocalSandbox(env);
  if (local) return local;
  throw new UsageError(
    'Log in first: wallet login --local, wallet login --url https://..., or with --api-key sk_test_...',
  );
}

/** Signs what `listen` forwards; made once, so that a receiver needs it once. */
export function listenSecret(env: NodeJS.ProcessEnv): string {
  const kept = readKept(env);
  const secret = kept.listenSecret ?? newSecret();
  if (kept.listenSecret === undefined) write(env, { ...kept, listenSecret: secret });
  return secret;
}

/** Keeps an address and a key for later commands, in a file that only its owner can read. */
export function keepLogin(env: NodeJS.ProcessEnv, login: Login): void {
  write(env, { ...login, listenSecret: readKept(env).listenSecret ?? newSecret() });
}

const newSecret = (): string => `sk_wh_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Forgets the login. Harmless without one. */
export function forgetLogin(env: NodeJS.ProcessEnv): void {
  rmSync(fileOf(env), { force: true });
}

/** The sandbox that `npm start` runs in this checkout. @throws UsageError when it has never run. */
export function localSandbox(env: NodeJS.ProcessEnv): Login {
  const found = findLocalSandbox(env);
  if (!found) throw new UsageError('No local sandbox was found. Run npm start first');
  return found;
}

function findLocalSandbox(env: NodeJS.ProcessEnv): Login | null {
  try {
    const file = readFileSync(join(env['DATA_DIR'] ?? projectFile('.data'), 'sandbox.json'), 'utf8');
    const { api_url: apiUrl, sandbox_key: apiKey } = JSON.parse(file) as Record<string, string>;
    return apiUrl !== undefined && apiKey !== undefined ? { apiUrl, apiKey } : null;
  } catch {
    // A file that is not there, or is half written, is the same to the caller.
    return null;
  }
}

/** Which platform is meant: what was typed, or else that of the shell, of the login before, or of this checkout. */
export const addressOf = (env: NodeJS.ProcessEnv, typed: string | undefined): string =>
  typed ?? env['WALLET_BASE_URL'] ?? readKept(env).apiUrl ?? localSandbox(env).apiUrl;

/** What earlier commands have kept; nothing of it is sure to be there. */
export function readKept(env: NodeJS.ProcessEnv): Partial<Kept> {
  try {
    return JSON.parse(readFileSync(fileOf(env), 'utf8')) as Partial<Kept>;
  } catch {
    return {};
  }
}

/** Another command may read it at the same time, so a whole file takes the place of the old one. */
function write(env: NodeJS.ProcessEnv, kept: Partial<Kept>): void {
  const file = fileOf(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${String(process.pid)}`;
  writeFileSync(next, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}
