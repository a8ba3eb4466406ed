/**
 * The secrets by process: the one list from which the configuration, its refusals, the launcher and the tests of the
 * deployment take them. Each secret has two variables (docs/how-to/rotate-a-secret.md). `<NAME>` is used for everything
 * new. `<NAME>_ACCEPTED` lists further values that are only recognised: the next value before any process uses it, and
 * the one before as long as something of it is left.
 */

/** The secrets of both processes. */
export const WORKER_SECRETS = [
  /** Encrypts the sandbox's webhook secrets, BVNs and NINs at rest (AES-256-GCM). */
  'DATA_KEY_SANDBOX',
  'DATA_KEY_LIVE',
  /** Finds equal BVNs and NINs without decrypting them. */
  'BLIND_INDEX_KEY',
  /** Providers sign their callbacks to the sandbox with it. The worker does so, too, when it plays the simulated bank. */
  'PROVIDER_CALLBACK_SECRET_SANDBOX',
] as const;

/** The secrets of the API alone: a worker never holds them. */
export const API_SECRETS = [
  /** Signs list cursors. */
  'CURSOR_KEY',
  /** Signs access tokens. */
  'JWT_KEY',
  /** Chains the operators' audit trail (HMAC-SHA256). */
  'AUDIT_KEY',
  /** The same for live. Which one it is tells the environment. */
  'PROVIDER_CALLBACK_SECRET_LIVE',
  /** Wallet PINs are hashed under it: the database alone reveals nothing about them (D75). */
  'PIN_PEPPER',
  /** The secret part of each environment's USSD callback address. It proves the caller and names the environment. */
  'USSD_CALLBACK_SECRET_SANDBOX',
  'USSD_CALLBACK_SECRET_LIVE',
] as const;

/** The names of the secrets that the first start invents (R29): 32 random bytes each, in base64. */
export const SECRET_NAMES = [...WORKER_SECRETS, ...API_SECRETS] as const;

export type SecretName = (typeof SECRET_NAMES)[number];
export type AcceptedName<Name extends SecretName = SecretName> = `${Name}_ACCEPTED`;

export const acceptedOf = <Name extends SecretName>(name: Name): AcceptedName<Name> => `${name}_ACCEPTED`;

/** The secrets that each process is given. It gets no other, so a process that leaks gives away only its own. */
export const SECRETS_OF: Readonly<Record<'api' | 'worker', readonly SecretName[]>> = {
  api: SECRET_NAMES,
  worker: WORKER_SECRETS,
};
