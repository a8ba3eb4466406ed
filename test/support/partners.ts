/**
 * A partner with a key, and its wallets, made without Temporal: the function that makes a wallet also gives it its
 * account.
 */
import { valueAs, valueOf } from './outcomes';
import { insertPartner } from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import type { Queryable } from '../../src/db/pg/postgres';
import { activateWallet, createWallet } from '../../src/db/wallets/wallets';
import { SANDBOX_MFB } from '../../src/domain/banks';
import type { EnvironmentName, PartnerStatus } from '../../src/domain/partners';
import { fundingReference } from '../../src/domain/transactions';
import { nameWithoutOwner, type WalletStatus } from '../../src/domain/wallets';
import type { Environment, OpenCell } from '../../src/runtime/environment';
import { nubanFor } from '../../src/domain/nuban';
import { nubanOf } from '../../src/db/wallets/directory';
import { makeKey } from '../../src/operations/partners/keys';
import { walletIntention } from '../../src/contract/intentions';
import { completedAtOnce, walletActivated } from '../../src/wire/webhooks';
import type { Answer, TestApi } from './api';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

export interface PartnerOptions {
  /** The id of an existing partner, which gets another key. */
  id?: string;
  environment?: EnvironmentName;
  status?: PartnerStatus;
  /** When the key ends; never by default. */
  expiresAt?: Date;
}

interface WalletOptions {
  userRef?: string;
  metadata?: Record<string, unknown>;
  /** The balance at the start. */
  fundKobo?: number;
  /** `active` by default. */
  status?: WalletStatus;
}

/** Calls the API with one key. */
export interface TestPartner {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Makes a wallet in the partner's environment. @returns its id. */
  wallet(options?: WalletOptions): Promise<string>;
  balanceKobo(walletId: string): Promise<number>;
  /** The same partner and key, calling another instance. */
  at(api: TestApi): TestPartner;
}

const BUSINESS_NAME = 'Acme Fintech';

/** A registered partner with a sandbox key, unless `options` say otherwise. */
export async function openPartner(
  api: TestApi,
  owner: Queryable,
  options: PartnerOptions = {},
): Promise<TestPartner> {
  const { id = newId(), environment = 'sandbox', status = 'registered', expiresAt = null } = options;
  const partner = { id, businessName: BUSINESS_NAME, email: `${id}@acme.example`, status };
  await insertPartner(owner, partner, { sandbox: SANDBOX_CELL, live: LIVE_CELL });
  const asked = { partnerId: id, environment, label: 'test', expiresAt: null };
  const { key, record } = valueOf(await makeKey(owner, asked));
  const keyId = record.id;
  // The end is set afterwards, because a key that has already expired cannot be made.
  if (expiresAt) {
    await owner.query('UPDATE platform.api_keys SET expires_at = $2 WHERE id = $1', [keyId, expiresAt]);
  }
  const caller = (at: TestApi): TestPartner => ({
    id,
    key,
    keyId,
    get: (path, headers = {}) => at.call('GET', path, { key, headers }),
    post: (path, body, headers = {}) => at.call('POST', path, { key, body, headers }),
    put: (path, body, headers = {}) => at.call('PUT', path, { key, body, headers }),
    patch: (path, body, headers = {}) => at.call('PATCH', path, { key, body, headers }),
    delete: (path) => at.call('DELETE', path, { key }),
    wallet: (wallet) => openWallet(at.environments[environment], owner, id, wallet),
    async balanceKobo(walletId) {
      const { rows } = await owner.query<{ balance_kobo: string }>(
        `SELECT balance_kobo FROM ${environment === 'live' ? LIVE_CELL : SANDBOX_CELL}.accounts WHERE id = $1`,
        [walletId],
      );
      return Number(rows[0]?.balance_kobo);
    },
    at: caller,
  });
  return caller(api);
}

export async function openWallet(
  environment: Environment,
  owner: Queryable,
  partnerId: string,
  options: WalletOptions = {},
): Promise<string> {
  const { userRef = `user-${newId()}`, metadata = {}, fundKobo = 0, status = 'active' } = options;
  const { cell } = await environment.partner(partnerId);
  const id = newId();
  await createWallet(
    cell,
    {
      id,
      partnerId,
      userRef,
      metadata,
      key: null,
      answer: () => ({ status: 202, body: '' }),
      intention: walletIntention({ partnerId, walletId: id, parkAfterMs: 0 }),
    },
    0,
  );
  if (!environment.allowsSimulation) {
    // The limits of persons are not in the way of tests about other things.
    await cell.pool.query(`UPDATE ${cell.schema}.accounts SET limit_tier = 'business' WHERE id = $1`, [id]);
  }
  if (status !== 'pending') await activate(environment, cell, { partnerId, walletId: id });
  if (fundKobo > 0) await fund(cell, { partnerId, walletId: id }, fundKobo);
  if (status === 'frozen' || status === 'closed') {
    await owner.query(`UPDATE ${cell.schema}.accounts SET status = $2 WHERE id = $1`, [id, status]);
  }
  return id;
}

interface Owner {
  partnerId: string;
  walletId: string;
}

async function activate(environment: Environment, cell: OpenCell, wallet: Owner): Promise<void> {
  const accountNumber = await nubanOf(environment.pool, environment.directory, wallet, {
    bankCode: SANDBOX_MFB.code,
    numberFor: (serial) => nubanFor(SANDBOX_MFB.nubanCode, serial),
  });
  const account = {
    accountNumber,
    accountName: nameWithoutOwner(BUSINESS_NAME, accountNumber),
    bankCode: SANDBOX_MFB.code,
    bankName: SANDBOX_MFB.name,
    mfbReference: `SBX-VA-${accountNumber}`,
  };
  await activateWallet(cell, environment.directory, wallet, account, walletActivated);
}

async function fund(cell: OpenCell, wallet: Owner, amountKobo: number): Promise<void> {
  const transactionId = newId();
  const result = await cell.ledger.post({
    movement: {
      kind: 'open',
      type: 'wallet_funding',
      from: { kind: 'sandbox' },
      transactionId,
      partnerId: wallet.partnerId,
      destWalletId: wallet.walletId,
      reference: fundingReference(transactionId),
      amountKobo,
      description: '',
      metadata: {},
      key: null,
    },
    announce: (posted) => [completedAtOnce(posted.transaction)],
  });
  valueAs(result, 'posted');
}
