/**
 * Values under an earlier key are made anew under the newest one, page by page and beside running traffic, until the
 * earlier key opens nothing that is stored.
 */
import { andNothingElse } from '../support/endpoints';
import { resealAll } from '../../src/administration/reseal';
import { keepComplianceRequest } from '../../src/db/partners/compliance';
import { offerTotp } from '../../src/db/partners/one-time-codes';
import { recordFoundName, submitVerification } from '../../src/db/partners/verifications';
import { findTransaction } from '../../src/db/ledger/transactions';
import { storeCallback } from '../../src/db/payments/callbacks';
import { ussdIntention } from '../../src/contract/intentions';
import { insertQrRequest } from '../../src/db/payments/qr-requests';
import { openUssdSession } from '../../src/db/payments/ussd-sessions';
import { activateWallet } from '../../src/db/wallets/wallets';
import { walletActivated } from '../../src/wire/webhooks';
import { changeAttempt, openAttempt } from '../../src/db/payments/transfer-attempts';
import { insertEndpoint, replaceSecret } from '../../src/db/events/endpoints';
import { newId } from '../../src/db/pg/ids';
import { directoryOf } from '../../src/db/pg/schema';
import type { Attempt } from '../../src/domain/payouts';
import { newVerification, type AskedVerification } from '../../src/operations/identity/new-verification';
import { createBlindIndex } from '../../src/secrets/blind-index';
import {
  KEYED_COLUMNS,
  KEYED_COLUMNS_OF_DIRECTORY,
  KEYED_COLUMNS_OF_PLATFORM,
  type Keys,
} from '../../src/secrets/keyed-columns';
import {
  callbackBodyPlace,
  createSealing,
  directorNumberPlace,
  endpointSecretPlace,
  mailTokenPlace,
  totpSecretPlace,
  verificationPlace,
} from '../../src/secrets/sealing';
import { SANDBOX_CELL } from '../setup/cells';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, transactionIdOf } from '../support/movements';
import { bulkToBank, scheduleToBank } from '../support/to-bank';
import { valueAs } from '../support/outcomes';
import { create } from '../support/wallet-creation';

/** A submission without a consent. */
const UNTOLD = { consent: null, requestId: 'req_test' };
const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const keysOf = (newest: number, ...accepted: number[]): Keys => ({
  sealing: createSealing(keyOf(newest), accepted.map(keyOf)),
  blindIndex: createBlindIndex('sandbox', keyOf(newest), accepted.map(keyOf)),
});
const OLD = keysOf(1);
const BOTH = keysOf(2, 1);
const NEW = keysOf(2);
const partnerId = newId();
let cell: TestCell;

beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

/** One row of everything that is stored under a key. */
async function store(keys: Keys, userRef: string): Promise<void> {
  const asked: AskedVerification = {
    subject: 'end_user',
    partnerId,
    userRef,
    directorId: null,
    type: 'bvn',
    number: '22222222222',
    expectedName: 'Ada Obi',
  };
  const draft = newVerification(keys, asked, 1_000);
  await submitVerification(cell.cell, draft, UNTOLD);
  const found = keys.sealing.seal('Ada N. Obi', verificationPlace('found_name', partnerId, draft.id));
  await recordFoundName(cell.cell, draft.id, found);

  const endpoint = newId();
  const secretSealed = keys.sealing.seal('a secret', endpointSecretPlace(partnerId, endpoint));
  const events = ['transaction.completed'];
  await insertEndpoint(
    cell.cell,
    { id: endpoint, partnerId, url: `https://a.example/${endpoint}`, events, secretSealed },
    999,
    andNothingElse,
  );

  const retiringId = newId();
  await replaceSecret(
    cell.cell,
    partnerId,
    endpoint,
    { retiringId, secretSealed, keepMs: 60_000, max: 4 },
    andNothingElse,
  );

  const callback = newId();
  const notice = {
    eventId: callback,
    transferName: 'none',
    attemptNumber: null,
    providerReference: 'none',
    outcome: 'success',
    amountKobo: 1,
    currency: 'NGN',
    occurredAt: new Date(),
  };
  const bodySealed = keys.sealing.seal('{}', callbackBodyPlace(callback));
  const kept = { id: callback, bodySealed, transfer: null, attempt: null };
  await storeCallback(cell.forApi, 'simulator', notice, kept);

  const director = newId();
  const sealed = (type: 'bvn' | 'nin') =>
    keys.sealing.seal(type, directorNumberPlace(partnerId, director, type));
  await keepComplianceRequest(
    cell.forApi,
    { id: newId(), partnerId, actor: 'partner', ask: { kind: 'directors' } },
    [{ id: director, fullName: 'Ada Obi', role: 'CEO', bvnSealed: sealed('bvn'), ninSealed: sealed('nin') }],
  );

  const ofKeys = { ...cell.forApi, sealing: keys.sealing };
  const from = await cell.wallet({ partnerId, fundKobo: 10_000 });
  const writer = cell.openWriter({ sealing: keys.sealing });
  const item = bankTransfer({ partnerId, from, amountKobo: 100 });
  const transfer = (await findTransaction(ofKeys, partnerId, transactionIdOf(await writer.post(item))))!;
  const attempt = (await openAttempt(cell.cell, directoryOf('sandbox'), transfer, {
    n: 1,
    provider: 'first',
  }))!;
  const accepted = (one: Attempt): Attempt => ({ ...one, state: 'accepted', openPosts: 0, providerRef: 'r' });
  await changeAttempt(
    { ...cell.cell, sealing: keys.sealing },
    transfer,
    attempt,
    accepted,
    null,
    'ADAEZE OBI',
  );
  await bulkToBank(ofKeys, { partnerId, from });
  await scheduleToBank(ofKeys, { partnerId, from });
  await storeNames(keys);
}

/** A wallet with its account and the kept answer that shows it, a code of it, and a payment to it by phone. */
async function storeNames(keys: Keys): Promise<void> {
  const sealed = { ...cell.cell, sealing: keys.sealing };
  const key = { operation: 'createWallet', key: newId(), fingerprint: 'body' };
  const creation = await create(sealed, { partnerId, userRef: `user-${newId()}`, key });
  const { wallet } = valueAs(creation, 'created');
  const accountNumber = String(++accounts);
  await activateWallet(
    sealed,
    'sandbox_directory',
    { partnerId, walletId: wallet.id },
    {
      accountNumber,
      accountName: 'ADA OBI',
      bankCode: '50999',
      bankName: 'Bank',
      mfbReference: accountNumber,
    },
    walletActivated,
  );
  const texts = { amountKobo: 1, reference: newId(), description: '', metadata: {} };
  const named = { label: `00${accountNumber}`, payeeName: 'ADA OBI' };
  await insertQrRequest(
    sealed.pool,
    sealed,
    { id: newId(), partnerId, walletId: wallet.id, ...texts, ...named },
    300,
  );
  const session = await openUssdSession(
    sealed,
    {
      sessionId: newId(),
      transactionId: newId(),
      partnerId,
      payerWalletId: await cell.wallet({ partnerId }),
      merchantWalletId: wallet.id,
      merchantName: 'ADA STORES',
      phone: null,
      dialCode: '615203',
      amountKobo: 1,
      reference: newId(),
      windowMs: 180_000,
      key: null,
      answer: () => ({ status: 200, body: '' }),
      intend: (made) => ussdIntention(made, { allowsSimulation: true }),
    },
    1_000,
  );
  valueAs(session, 'accepted');
}
let accounts = 1_000_000_000;

/** Every stored value that these keys can open or have indexed, and how many there are in all. */
async function usable(keys: Keys): Promise<{ usable: number; all: number }> {
  let [usableOnes, all] = [0, 0];
  for (const { table, column, id, needs, prefixes, renew } of KEYED_COLUMNS) {
    const columns = [`${id} AS id`, column, ...needs].join(', ');
    for (const row of await cell.sql(
      `SELECT ${columns} FROM ${SANDBOX_CELL}.${table} WHERE ${column} IS NOT NULL`,
    )) {
      all++;
      try {
        renew(keys, row);
        if (prefixes(keys).some((prefix) => (row[column] as string).startsWith(prefix))) usableOnes++;
      } catch {
        // It is under another key.
      }
    }
  }
  return { usable: usableOnes, all };
}

const reseal = (keys: Keys, tell: (line: string) => void = () => undefined) =>
  resealAll(cell.owner, { schemas: [SANDBOX_CELL], columns: KEYED_COLUMNS, keys, pageSize: 2, tell });

test('the table names every column of the schema that depends on a key, and each once', async () => {
  const rows = await cell.sql(
    `SELECT table_schema, table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE (column_name LIKE '%sealed' OR column_name LIKE '%\\_index')
        AND table_schema IN ('platform', 'sandbox_directory', $1) ORDER BY name`,
    [SANDBOX_CELL],
  );
  expect(rows).toEqual(
    [
      ...KEYED_COLUMNS.map((keyed) => ({ ...keyed, schema: SANDBOX_CELL })),
      ...KEYED_COLUMNS_OF_DIRECTORY.map((keyed) => ({ ...keyed, schema: 'sandbox_directory' })),
      ...KEYED_COLUMNS_OF_PLATFORM.map((keyed) => ({ ...keyed, schema: 'platform' })),
    ]
      .map(({ schema, table, column }) => ({ table_schema: schema, name: `${table}.${column}` }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  );
});

test('a key that leaked is rotated out: nothing that is stored opens under it any more', async () => {
  for (let n = 0; n < 7; n++) await store(OLD, `user-${String(n)}`);
  const { all } = await usable(OLD);
  expect(await usable(OLD)).toEqual({ usable: all, all });

  // The first run ends in the middle; the next one goes on with what is left.
  let pages = 0;
  const dies = reseal(BOTH, () => {
    if (++pages === 3) throw new Error('killed');
  });
  await expect(dies).rejects.toThrow('killed');
  const between = await usable(NEW);
  expect(between.usable).toBeGreaterThan(0);
  expect(between.usable).toBeLessThan(all);
  expect(await usable(BOTH)).toEqual({ usable: all, all });

  // Traffic writes under the newest key meanwhile.
  const [left] = await Promise.all([reseal(BOTH), store(BOTH, 'meanwhile')]);
  const done = await usable(NEW);
  expect(done).toEqual({ usable: done.all, all: done.all });
  expect(await usable(OLD)).toMatchObject({ usable: 0 });
  expect(left.filter(({ isNewest }) => !isNewest).map(({ key, values }) => [key, values])).toEqual([
    ['DATA_KEY', 0],
    ['BLIND_INDEX_KEY', 0],
  ]);
});

test('a second run changes nothing', async () => {
  const values = () =>
    cell.sql(`SELECT number_sealed, number_index FROM ${SANDBOX_CELL}.verifications ORDER BY id`);
  const before = await values();
  const told: string[] = [];
  await reseal(BOTH, (line) => told.push(line));
  expect(await values()).toEqual(before);
  expect(told).toEqual([]);
});

test('a value that a process still seals with the earlier key is counted, so the key is not retired too early', async () => {
  await store(OLD, 'late');
  const counted = await reseal(keysOf(3, 2));
  const notNewest = counted.filter(({ isNewest, values }) => !isNewest && values > 0);
  expect(notNewest.map(({ key, values }) => [key, values])).toEqual([
    ['DATA_KEY', 17],
    ['BLIND_INDEX_KEY', 1],
  ]);
});

test('a number that is under way under two keys keeps both rows, and the key is not retired yet', async () => {
  await store(OLD, 'twice');
  // A process that does not know the other key submits the same number once more.
  await store(NEW, 'twice');
  const pending = `SELECT FROM ${SANDBOX_CELL}.verifications WHERE user_ref = 'twice' AND status = 'pending'`;
  expect(await cell.sql(pending)).toHaveLength(2);
  const left = (await reseal(BOTH)).filter(({ isNewest, values }) => !isNewest && values > 0);
  expect(left.map(({ key }) => key)).toContain('BLIND_INDEX_KEY');
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.verifications SET status = 'verified', verified_at = now() WHERE user_ref = 'twice'`,
  );
  const isOld = ({ name }: { name: string }) => OLD.blindIndex.prefixes[0] === `${name}.`;
  expect((await reseal(BOTH)).filter(isOld).map(({ values }) => values)).toEqual([0]);
});

test('the secret of one-time codes and the token of a mail are made anew too', async () => {
  const [user, mail] = [newId(), newId()];
  await cell.sql(
    `INSERT INTO platform.partners (id, business_name, email) VALUES ($1, 'Acme', 'a@acme.example')`,
    [partnerId],
  );
  await cell.sql(
    `INSERT INTO platform.users (id, partner_id, email, password_hash) VALUES ($1, $2, 'a@acme.example', '$argon2id$')`,
    [user, partnerId],
  );
  await offerTotp(cell.owner, user, OLD.sealing.seal('a secret', totpSecretPlace(user)));
  await cell.sql(
    `INSERT INTO platform.mail_outbox (id, partner_id, kind, recipient, token_sealed)
     VALUES ($1, $2, 'reset_password', 'a@acme.example', $3)`,
    [mail, partnerId, OLD.sealing.seal('a token', mailTokenPlace(mail))],
  );
  await resealAll(cell.owner, {
    schemas: ['platform'],
    columns: KEYED_COLUMNS_OF_PLATFORM,
    keys: BOTH,
    pageSize: 2,
    tell: () => undefined,
  });
  const [kept] = await cell.sql(
    `SELECT (SELECT secret_sealed FROM platform.totp) AS secret,
            (SELECT token_sealed FROM platform.mail_outbox WHERE id = $1) AS token`,
    [mail],
  );
  expect(NEW.sealing.open(kept!['secret'], totpSecretPlace(user))).toBe('a secret');
  expect(NEW.sealing.open(kept!['token'], mailTokenPlace(mail))).toBe('a token');
});
