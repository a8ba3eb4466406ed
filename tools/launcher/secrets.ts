/** The sandbox's own secrets. They are made once and kept, so that a new user does not have to make any (R29). */
import { randomBytes } from 'node:crypto';
import type { Secrets, StartConfig } from '../../src/runtime/config';
import { acceptedOf, SECRET_NAMES, SECRETS_OF } from '../../src/runtime/secret-names';
import { StartError } from '../../src/administration/project';
import { readPrivate, writePrivate } from '../../src/administration/private-file';

/**
 * Reads the secrets of `file` and adds those that are missing: 32 random bytes each, in base64.
 * @throws StartError when the file is damaged: inventing new secrets would make the stored data unreadable.
 */
export function keepSecrets(file: string): Secrets {
  const kept = readSecrets(file);
  const missing = SECRET_NAMES.filter((name) => kept[name] === undefined);
  const secrets = { ...kept } as Secrets;
  for (const name of missing) secrets[name] = randomBytes(32).toString('base64');
  if (missing.length > 0) writePrivate(file, secrets);
  return secrets;
}

function readSecrets(file: string): Partial<Secrets> {
  try {
    const kept: Partial<Secrets> = readPrivate(file) ?? {};
    return kept;
  } catch {
    throw new StartError(
      `${file} cannot be read as JSON. Restore it, or remove the whole folder to begin anew`,
    );
  }
}

/**
 * The secrets of one process as its variables: those that are set, else those of the sandbox. The other secrets are set
 * to nothing, so that the process does not inherit them from us either.
 */
export function secretsFor(
  process: keyof typeof SECRETS_OF,
  settings: StartConfig,
  secrets: Secrets,
): Record<string, string> {
  const own = new Set(SECRETS_OF[process]);
  const others = SECRET_NAMES.filter((name) => !own.has(name)).flatMap((name) => [name, acceptedOf(name)]);
  return {
    ...Object.fromEntries([...own].map((name) => [name, settings[name] ?? secrets[name]])),
    ...Object.fromEntries(others.map((name) => [name, ''])),
  };
}
