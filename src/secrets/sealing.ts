/**
 * Seals what must be stored and read again (webhook secrets, BVNs and NINs): AES-256-GCM under a key that is
 * not in the database. The sealed text names its key, so that keys can be changed while older texts still
 * open, and is bound to its place, so that it cannot be moved to another row.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const VERSION = 'v2';
/** Of texts from before keys had names: whichever key opens one is its key. */
const UNNAMED_VERSION = 'v1';
/** Said when opening too: else a tag cut to 4 bytes would do, which can be guessed. */
const TAG = { authTagLength: 16 };

export interface Sealing {
  /** @param place table, column and row the text belongs to. */
  seal(plain: string, place: string): string;
  /** @throws when the text was altered, moved, or sealed under a key that is not known here. */
  open(sealed: string, place: string): string;
}

/**
 * @param current the key that seals: 32 bytes in base64.
 * @param older keys that only open what they once sealed.
 */
export function createSealing(current: string, older: readonly string[] = []): Sealing {
  const sealingKey = Buffer.from(current, 'base64');
  const sealingKeyId = keyId(sealingKey);
  const keys = [sealingKey, ...older.map((key) => Buffer.from(key, 'base64'))];
  const keysById = new Map(keys.map((key) => [keyId(key), key]));
  return {
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, TAG).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const parts = [nonce, hidden, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return [VERSION, sealingKeyId, ...parts].join('.');
    },
    open(sealed, place) {
      const [version, ...parts] = sealed.split('.');
      if (version === UNNAMED_VERSION) return openUnderAny(keys, parts, place);
      const [id = '', ...hidden] = parts;
      const key = version === VERSION ? keysById.get(id) : undefined;
      if (!key) throw new Error('not a sealed text, or sealed under a key that is not known here');
      return openUnder(key, hidden, place);
    },
  };
}

/** A key's name: it follows from the key, tells nothing of it, and cannot be given to two keys by mistake. */
function keyId(key: Buffer): string {
  return createHmac('sha256', key).update('key id').digest().subarray(0, 6).toString('base64url');
}

function openUnderAny(keys: readonly Buffer[], parts: readonly string[], place: string): string {
  for (const key of keys) {
    try {
      return openUnder(key, parts, place);
    } catch {
      // Not this key's, or altered: the next one says the same.
    }
  }
  throw new Error('not sealed under any key that is known here');
}

function openUnder(key: Buffer, parts: readonly string[], place: string): string {
  const [nonce, hidden, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!nonce || !hidden || !tag) throw new Error('not a sealed text');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, TAG)
    .setAAD(Buffer.from(place))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
}

/** Where an endpoint's secret belongs. */
export const endpointSecretPlace = (partnerId: string, endpointId: string): string =>
  `webhook_endpoints.secret/${partnerId}/${endpointId}`;

/** Where a verification's number, and the names that go with it, belong. */
export const verificationPlace = (
  column: 'number' | 'expected_name' | 'found_name',
  partnerId: string,
  verificationId: string,
): string => `verifications.${column}/${partnerId}/${verificationId}`;

/** Where a director's number belongs. */
export const directorNumberPlace = (partnerId: string, directorId: string, type: 'bvn' | 'nin'): string =>
  `directors.${type}/${partnerId}/${directorId}`;
