/**
 * Every column whose values depend on a data key or on the key of the blind index: the one table by which values are
 * made anew under the newest key. A test compares it with the schema.
 */
import type { VerificationType } from '../domain/verifications';
import type { BlindIndex } from './blind-index';
import {
  accountNamePlace,
  callbackBodyPlace,
  directorNumberPlace,
  endpointSecretPlace,
  keptAnswerPlace,
  mailTokenPlace,
  merchantNamePlace,
  noticeBodyPlace,
  paidAccountPlace,
  payeeNamePlace,
  senderPlace,
  totpSecretPlace,
  verificationPlace,
  walletMetadataPlace,
  type Sealing,
} from './sealing';

/** The keys of one environment. */
export interface Keys {
  sealing: Sealing;
  blindIndex: BlindIndex;
}

/** The `id` of a row, the column itself, and the columns that the entry below needs. */
type KeyedRow = Readonly<Record<string, string>>;

export interface KeyedColumn {
  table: string;
  column: string;
  /** The column that is the row's id. */
  id: string;
  /** What is read of the row beside its id and the value: columns, or expressions with a name. */
  needs: readonly string[];
  /** The variable of the key, without its environment. */
  key: 'DATA_KEY' | 'BLIND_INDEX_KEY';
  /** What the values of each known key begin with, the newest key first. */
  prefixes: (keys: Keys) => readonly [string, ...string[]];
  /** The same value under the newest key. @throws when it is under a key that is not known. */
  renew: (keys: Keys, row: KeyedRow) => string;
}

const sealed = (
  table: string,
  column: string,
  placeOf: (partnerId: string, id: string) => string,
  idColumn = 'id',
): KeyedColumn => ({
  table,
  column,
  id: 'id',
  needs: idColumn === 'id' ? ['partner_id'] : ['partner_id', idColumn],
  key: 'DATA_KEY',
  prefixes: ({ sealing }) => sealing.prefixes,
  renew: ({ sealing }, row) => {
    const place = placeOf(of(row, 'partner_id'), of(row, idColumn));
    return sealing.seal(sealing.open(of(row, column), place), place);
  },
});

/** A column whose place does not name a partner. */
const sealedAlone = (
  table: string,
  column: string,
  id: string,
  placeOf: (id: string) => string,
): KeyedColumn => ({
  ...sealed(table, column, (_partnerId, rowId) => placeOf(rowId)),
  id,
  needs: [],
});

/** The name of a bank account that is paid. @param account the JSON that says which one, as SQL. */
const ofPaidAccount = (table: string, column: string, account: string): KeyedColumn => ({
  ...sealed(table, `${column}_sealed`, () => ''),
  needs: [`${account}->>'bankCode' AS bank_code`, `${account}->>'accountNumber' AS account_number`],
  renew: ({ sealing }, row) => {
    const place = paidAccountPlace(`${table}.${column}`, of(row, 'id'), {
      bankCode: of(row, 'bank_code'),
      accountNumber: of(row, 'account_number'),
    });
    return sealing.seal(sealing.open(of(row, `${column}_sealed`), place), place);
  },
});

const of = (row: KeyedRow, column: string): string => row[column] ?? '';

/** The columns of a cell. */
export const KEYED_COLUMNS: readonly KeyedColumn[] = [
  ofPaidAccount('bulk_transfer_lines', 'account_name', "asked->'to'"),
  sealed('directors', 'bvn_sealed', (partnerId, id) => directorNumberPlace(partnerId, id, 'bvn')),
  sealed('directors', 'nin_sealed', (partnerId, id) => directorNumberPlace(partnerId, id, 'nin')),
  sealedAlone('idempotency_keys', 'body_sealed', 'resource_id', keptAnswerPlace),
  sealedAlone('inbound_credits', 'sender_sealed', 'id', senderPlace),
  sealedAlone('provider_callbacks', 'body_sealed', 'id', callbackBodyPlace),
  sealedAlone('qr_requests', 'payee_name_sealed', 'id', payeeNamePlace),
  sealed('retiring_webhook_secrets', 'secret_sealed', endpointSecretPlace, 'endpoint_id'),
  ofPaidAccount('scheduled_transfers', 'account_name', "asked->'to'"),
  ofPaidAccount('transactions', 'account_name', 'dest_account'),
  ofPaidAccount('transactions', 'resolved_name', 'dest_account'),
  sealedAlone('ussd_sessions', 'merchant_name_sealed', 'id', merchantNamePlace),
  sealed('verifications', 'expected_name_sealed', (partnerId, id) =>
    verificationPlace('expected_name', partnerId, id),
  ),
  sealed('verifications', 'found_name_sealed', (partnerId, id) =>
    verificationPlace('found_name', partnerId, id),
  ),
  {
    table: 'verifications',
    column: 'number_index',
    id: 'id',
    needs: ['partner_id', 'number_sealed', 'type'],
    key: 'BLIND_INDEX_KEY',
    prefixes: ({ blindIndex }) => blindIndex.prefixes,
    renew: ({ sealing, blindIndex }, row) => {
      const place = verificationPlace('number', of(row, 'partner_id'), of(row, 'id'));
      const number = sealing.open(of(row, 'number_sealed'), place);
      return blindIndex.of(of(row, 'type') as VerificationType, number);
    },
  },
  sealed('verifications', 'number_sealed', (partnerId, id) => verificationPlace('number', partnerId, id)),
  sealedAlone('wallets', 'account_name_sealed', 'id', accountNamePlace),
  sealedAlone('wallets', 'metadata_sealed', 'id', walletMetadataPlace),
  sealed('webhook_endpoints', 'secret_sealed', endpointSecretPlace),
];

/** The columns of the directory of an environment. */
export const KEYED_COLUMNS_OF_DIRECTORY: readonly KeyedColumn[] = [
  sealedAlone('provider_notices', 'body_sealed', 'id', noticeBodyPlace),
];

/** The columns of the schema `platform`: what belongs to people is sealed under the key of live. */
export const KEYED_COLUMNS_OF_PLATFORM: readonly KeyedColumn[] = [
  sealedAlone('mail_outbox', 'token_sealed', 'id', mailTokenPlace),
  sealedAlone('totp', 'secret_sealed', 'user_id', totpSecretPlace),
];
