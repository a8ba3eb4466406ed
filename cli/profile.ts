/** Whom the command line speaks for: the environment of the shell, or else what `wallet login` has kept. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFile } from './project';
import { UsageError } from './usage';

export interface Profile {
  apiUrl: string;
  apiKey: string;
  /** Signs what `listen` forwards; made once, so that a receiver needs it once. */
  listenSecret: string;
}

const SECRET_BYTES = 24;

const fileOf = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'partner-wallet', 'config.json');

/** @throws UsageError when there is neither WALLET_API_KEY nor a login. */
export function readProfile(env: NodeJS.ProcessEnv): Profile {
  const kept = readKept(env);
  const apiKey = env['WALLET_API_KEY'] ?? kept.apiKey;
  const apiUrl = env['WALLET_BASE_URL'] ?? kept.apiUrl;
  if (apiKey === undefined || apiUrl === undefined) {
    throw new UsageError(
      'Log in first: wallet login --local, or wallet login --api-key sk_test_... --url https://...',
    );
  }
  if (kept.listenSecret !== undefined) return { apiKey, apiUrl, listenSecret: kept.listenSecret };
  const listenSecret = `sk_wh_${randomBytes(SECRET_BYTES).toString('base64')}`;
  write(env, { ...kept, listenSecret });
  return { apiKey, apiUrl, listenSecret };
}

/** Keeps an address and a key for later commands, in a file that only its owner can read. */
export function keepLogin(env: NodeJS.ProcessEnv, login: Pick<Profile, 'apiUrl' | 'apiKey'>): void {
  write(env, { ...readKept(env), ...login });
}

/** Forgets the login. Harmless without one. */
export function forgetLogin(env: NodeJS.ProcessEnv): void {
  rmSync(fileOf(env), { force: true });
}

/** The sandbox that `npm start` runs in this checkout. @throws UsageError when it has never run. */
export function localSandbox(env: NodeJS.ProcessEnv): Pick<Profile, 'apiUrl' | 'apiKey'> {
  try {
    const file = readFileSync(join(env['DATA_DIR'] ?? projectFile('.data'), 'sandbox.json'), 'utf8');
    const { api_url: apiUrl, sandbox_key: apiKey } = JSON.parse(file) as Record<string, string>;
    if (apiUrl !== undefined && apiKey !== undefined) return { apiUrl, apiKey };
  } catch {
    // A file that is not there, or is half written, is the same to the caller.
  }
  throw new UsageError('No local sandbox was found. Run npm start first');
}

function readKept(env: NodeJS.ProcessEnv): Partial<Profile> {
  try {
    return JSON.parse(readFileSync(fileOf(env), 'utf8')) as Partial<Profile>;
  } catch {
    return {};
  }
}

function write(env: NodeJS.ProcessEnv, profile: Partial<Profile>): void {
  const file = fileOf(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600 });
  // The mode above is that of a new file only.
  chmodSync(file, 0o600);
}
