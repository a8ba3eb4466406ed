/**
 * The settings with which a command does the work of the API or of a worker: those of the environment and of `.env`, and beside
 * `npm start` those of the local sandbox, so that nobody sets them by hand.
 */
import { childEnvironment, loadDotEnv, readStartConfig } from '../runtime/config';
import { loginsOf } from '../runtime/logins';
import { acceptedOf, SECRET_NAMES, SECRETS_OF } from '../runtime/secret-names';
import { administeredSecret, administeredUrls } from './admin';
import { readPrivate } from './private-file';
import { dataFiles } from './project';

/**
 * @returns the variables of that process. In production they are as they are set: nothing is taken from a file.
 * @throws StartError where no database or a secret is known; ConfigError where a variable is not well-formed.
 */
export function processSettings(program: 'api' | 'worker'): NodeJS.ProcessEnv {
  loadDotEnv();
  const settings = readStartConfig();
  if (settings.NODE_ENV === 'production') return childEnvironment({});
  const urls = administeredUrls(settings, loginsOf(program));
  const isLocal = urls !== settings;
  const sandbox = readPrivate(dataFiles(settings.DATA_DIR).sandboxFile) as
    | { temporal_address?: string }
    | undefined;
  const temporal = settings.TEMPORAL_ADDRESS ?? (isLocal ? sandbox?.temporal_address : undefined);
  const own = SECRETS_OF[program];
  // A process is refused the secrets of another one, which `.env` may hold beside its own.
  const others = SECRET_NAMES.filter((name) => !own.includes(name)).flatMap((name) => [
    name,
    acceptedOf(name),
  ]);
  return childEnvironment({
    ...(isLocal && { NODE_ENV: settings.NODE_ENV ?? 'development', DATABASE_URL: urls.DATABASE_URL ?? '' }),
    ...(temporal !== undefined && { TEMPORAL_ADDRESS: temporal }),
    ...Object.fromEntries(own.map((name) => [name, administeredSecret(settings, name)])),
    ...Object.fromEntries(others.map((name) => [name, ''])),
  });
}
