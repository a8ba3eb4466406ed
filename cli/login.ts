/**
 * `wallet login` and `logout`. Email and password make a key of this machine's own, which `logout` deletes; a key that
 * somebody else has made is only kept and forgotten.
 */
import { hostname } from 'node:os';
import { Option, type Command } from 'commander';
import { isRefusal, NotFoundError, WalletClient } from '../sdk/src';
import { ask, firstLine } from './ask';
import { printOne } from './print';
import { addressOf, forgetLogin, keepLogin, localSandbox, readKept, type OwnKey } from './profile';
import { UsageError } from './usage';

const KEY_LASTS_MS = 90 * 86_400_000;
/** The longest label that a key may have. */
const LABEL_MAX = 200;

interface PasswordOptions {
  passwordStdin?: boolean;
  /** A one-time code. */
  code?: string;
}
interface LoginOptions extends PasswordOptions {
  local?: boolean;
  apiKey?: string;
  url?: string;
  email?: string;
  environment: OwnKey['environment'];
}

/** Adds the two commands. */
export function addLogin(program: Command, env: NodeJS.ProcessEnv, isJson: () => boolean): void {
  const passwordStdin = new Option('--password-stdin', 'read the password from standard input');
  const code = new Option('--code <code>', 'a one-time code, where the account has them');
  program
    .command('login')
    .description('keep an address and a key for later commands; email and password make the key')
    .option('--local', 'the sandbox that npm start runs in this checkout')
    .option('--api-key <key>', 'a secret key that there is already')
    .option('--url <url>', 'the address of the platform')
    .option('--email <email>', 'who logs in; asked for otherwise')
    .addOption(passwordStdin)
    .addOption(code)
    .addOption(
      new Option('--environment <name>', 'of the key that is made')
        .choices(['sandbox', 'live'])
        .default('sandbox'),
    )
    .action(async (options: LoginOptions) => {
      const { apiKey, url, local } = options;
      const given = local
        ? localSandbox(env)
        : apiKey !== undefined && { apiKey, apiUrl: addressOf(env, url) };
      if (given && readKept(env).own) {
        throw new UsageError('The key that the login before has made would be forgotten. Log out first');
      }
      const login = given || (await makeKey(env, addressOf(env, url), options));
      const shown = await new WalletClient({ apiKey: login.apiKey, baseUrl: login.apiUrl }).partner.get();
      if (given) keepLogin(env, given);
      if (isJson()) printOne(shown, true);
      else
        process.stdout.write(
          `Logged in at ${login.apiUrl} as ${shown.business_name}, ${shown.environment}\n`,
        );
    });
  program
    .command('logout')
    .description('forget the login, and delete the key that it has made')
    .option('--keep-key', 'delete nothing: the key is good until its end')
    .addOption(passwordStdin)
    .addOption(code)
    .action(async ({ keepKey, ...options }: PasswordOptions & { keepKey?: boolean }) => {
      const { own } = readKept(env);
      const deletes = own && !keepKey;
      if (deletes) {
        const owner = await signedIn(own, options);
        await deleteKey(owner, own.keyId);
        await owner.sessions.end('current');
      }
      forgetLogin(env);
      if (!isJson()) process.stdout.write(`Logged out${deletes ? ', and the key is deleted' : ''}\n`);
    });
}

/**
 * Makes a key by email and password, and keeps it. The key that an earlier login has made is deleted.
 * @throws UsageError when that was another login than this one, whose password would be needed for it.
 */
async function makeKey(
  env: NodeJS.ProcessEnv,
  apiUrl: string,
  options: LoginOptions,
): Promise<{ apiUrl: string; apiKey: string }> {
  const { environment } = options;
  if (options.passwordStdin && options.email === undefined) throw new UsageError('Say --email');
  const email = options.email ?? (await ask('Email: ', { instead: '--email and --password-stdin' }));
  const who = { apiUrl, email, environment };
  const { own: before } = readKept(env);
  const isSame = before?.apiUrl === apiUrl && before.email === email && before.environment === environment;
  if (before && !isSame) {
    throw new UsageError(
      `${before.email} is logged in at ${before.apiUrl}, ${before.environment}. Log out first`,
    );
  }
  const owner = await signedIn(who, options);
  const { id: keyId, key: apiKey } = await owner.apiKeys.create({
    label: `cli ${hostname()}`.slice(0, LABEL_MAX),
    expires_at: new Date(Date.now() + KEY_LASTS_MS).toISOString(),
  });
  // From here on it can be deleted, whatever happens next.
  keepLogin(env, { apiUrl, apiKey, own: { ...who, keyId } });
  if (before) await deleteKey(owner, before.keyId);
  await owner.sessions.end('current');
  return { apiUrl, apiKey };
}

/** A client with a token of a person. @throws UsageError where a password or code is needed and nobody can be asked. */
async function signedIn(
  { apiUrl, email, environment }: Omit<OwnKey, 'keyId'>,
  { passwordStdin, code }: PasswordOptions,
): Promise<WalletClient> {
  const password = passwordStdin
    ? await firstLine()
    : await ask(`Password of ${email}: `, { isSecret: true, instead: '--password-stdin' });
  const stranger = new WalletClient({ apiKey: 'none', baseUrl: apiUrl });
  const logIn = async (more: { code?: string }): Promise<string> =>
    (await stranger.auth.login({ email, password, environment, ...more })).access_token;
  const token = await logIn({ ...(code !== undefined && { code }) }).catch(async (error: unknown) => {
    if (!isRefusal(error, 'ONE_TIME_CODE_REQUIRED')) throw error;
    return logIn({ code: await ask('One-time code: ', { instead: '--code' }) });
  });
  return new WalletClient({ apiKey: token, baseUrl: apiUrl });
}

/** A key that is gone already is no mistake. */
async function deleteKey(owner: WalletClient, keyId: string): Promise<void> {
  try {
    await owner.apiKeys.delete(keyId);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
