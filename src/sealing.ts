/**
 * Seals what must be stored and read again (webhook secrets): AES-256-GCM under a key that is not in the
 * database. The sealed text is bound to its place, so that it cannot be moved to another row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
/** Said when opening too: else a tag cut to 4 bytes would do, which can be guessed. */
const TAG = { authTagLength: 16 };

export interface Sealing {
  /** @param place table, column and row the text belongs to. */
  seal(plain: string, place: string): string;
  /** @throws when the text was altered, moved, or sealed under another key. */
  open(sealed: string, place: string): string;
}

export function createSealing(keyBase64: string): Sealing {
  const key = Buffer.from(keyBase64, 'base64');
  return {
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, TAG).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, nonce, hidden, cipher.getAuthTag()]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    open(sealed, place) {
      const [version, ...parts] = sealed.split('.');
      const [nonce, hidden, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (version !== VERSION || !nonce || !hidden || !tag) throw new Error('not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, TAG)
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
    },
  };
}

/** Where an endpoint's secret belongs. */
export const endpointSecretPlace = (partnerId: string, endpointId: string): string =>
  `webhook_endpoints.secret/${partnerId}/${endpointId}`;
