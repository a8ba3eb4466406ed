/**
 * Seals what must be stored and read again (webhook secrets, BVNs and NINs, names): AES-256-GCM under a key that is not
 * in the database. The sealed text names its key, so that older texts can still be opened after a change of the
 * key. It is bound to its place, so that it cannot be moved to another row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keyId } from './key-id';

const VERSION = 'v2';
/**
 * The length is also given when a text is opened. Otherwise a tag that was cut to 4 bytes, which can be guessed,
 * would be accepted.
 */
const TAG = { authTagLength: 16 };

export interface Sealing {
  /** What the texts of each known key begin with, the newest key first. */
  prefixes: readonly [string, ...string[]];
  /** @param place table, column and row the text belongs to. */
  seal(plain: string, place: string): string;
  /** @throws when the text was altered, moved, or sealed under a key that is not known here. */
  open(sealed: string, place: string): string;
}

/**
 * @param newest the key that seals: 32 bytes in base64.
 * @param accepted further keys, which only open: the next one, and those of texts that are not sealed anew yet.
 */
export function createSealing(newest: string, accepted: readonly string[] = []): Sealing {
  const sealingKey = Buffer.from(newest, 'base64');
  const prefixOf = (key: Buffer): string => `${VERSION}.${keyId(key)}.`;
  const newestPrefix = prefixOf(sealingKey);
  const older = accepted.map((key) => Buffer.from(key, 'base64'));
  const keys = [sealingKey, ...older];
  const keysById = new Map(keys.map((key) => [keyId(key), key]));
  return {
    prefixes: [newestPrefix, ...older.map(prefixOf)],
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, TAG).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const parts = [nonce, hidden, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return newestPrefix + parts.join('.');
    },
    open(sealed, place) {
      const [version, id = '', ...hidden] = sealed.split('.');
      const key = version === VERSION ? keysById.get(id) : undefined;
      if (!key) throw new Error('not a sealed text, or sealed under a key that is not known here');
      return openUnder(key, hidden, place);
    },
  };
}

function openUnder(key: Buffer, parts: readonly string[], place: string): string {
  const [nonce, hidden, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!nonce || !hidden || !tag) throw new Error('not a sealed text');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, TAG)
    .setAAD(Buffer.from(place))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
}

/** The place of the secret of an endpoint. */
export const endpointSecretPlace = (partnerId: string, endpointId: string): string =>
  `webhook_endpoints.secret/${partnerId}/${endpointId}`;

/** The place of the secret of a user's one-time codes. */
export const totpSecretPlace = (userId: string): string => `totp.secret/${userId}`;

/** The place of the number of a verification, and of the names that were given with it. */
export const verificationPlace = (
  column: 'number' | 'expected_name' | 'found_name',
  partnerId: string,
  verificationId: string,
): string => `verifications.${column}/${partnerId}/${verificationId}`;

/** The place of the number of a director. */
export const directorNumberPlace = (partnerId: string, directorId: string, type: 'bvn' | 'nin'): string =>
  `directors.${type}/${partnerId}/${directorId}`;

/** The place of the bytes of a provider's callback. */
export const callbackBodyPlace = (callbackId: string): string => `provider_callbacks.body/${callbackId}`;

/** The place of the bytes of a notice of a payment that came in. */
export const noticeBodyPlace = (noticeId: string): string => `provider_notices.body/${noticeId}`;

/** The place of who has paid a payment that came in. */
export const senderPlace = (creditId: string): string => `inbound_credits.sender/${creditId}`;

/**
 * The place of a name of a bank account that is paid. It names the account, so that the name does not open when somebody
 * has put another account beside it.
 * @param column with its table.
 */
export const paidAccountPlace = (
  column: string,
  rowId: string,
  account: { bankCode: string; accountNumber: string },
): string => `${column}/${rowId}/${account.bankCode}/${account.accountNumber}`;

/** The place of the name of a wallet's account. */
export const accountNamePlace = (walletId: string): string => `wallets.account_name/${walletId}`;

/** The place of what the partner has said of a wallet. */
export const walletMetadataPlace = (walletId: string): string => `wallets.metadata/${walletId}`;

/** The place of the name that a QR code shows. */
export const payeeNamePlace = (qrRequestId: string): string => `qr_requests.payee_name/${qrRequestId}`;

/** The place of the name that a payer reads on the phone. */
export const merchantNamePlace = (sessionId: string): string => `ussd_sessions.merchant_name/${sessionId}`;

/** The place of a kept answer. */
export const keptAnswerPlace = (resourceId: string): string => `idempotency_keys.body/${resourceId}`;

/** The place of the one-use token of a mail that waits to be sent. */
export const mailTokenPlace = (mailId: string): string => `mail_outbox.token/${mailId}`;
