/**
 * The ledger is lost and restored while transfers are in flight, Temporal is put back to an earlier time, and a backup
 * is brought to an empty database. Nothing is paid twice, nothing is stuck, and what was forgotten is reported.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesOf, linesIn } from '../../src/administration/movement-files';
import { openPatientPool } from '../../src/db/pg/postgres';
import { directoryOf } from '../../src/db/pg/schema';
import { compareMovements } from '../../src/db/upkeep/compare-movements';
import { openShipper } from '../../src/operations/ship-movements';
import { openDestination } from '../../src/providers/movements/destination';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { saying, withFake } from '../support/fakes';
import { asLogin, asOwners } from '../support/logins';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver } from '../support/receiver';
import { FREQUENT_SCHEDULES, TEST_SECRETS } from '../support/settings';
import { until } from '../support/until';
import { createDatabase } from '../../src/db/pg/cluster';
import { verifyAudit } from '../../src/db/upkeep/audit';
import { connect, takeBackup, type Manifest } from '../../src/db/upkeep/backup';
import { restoreBackup } from '../../src/db/upkeep/restore';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { AREAS } from '../../src/runtime/logins';
import type { Environment } from '../../src/runtime/environment';
import { TEST_CELLS, SANDBOX_CELL } from '../setup/cells';
import { onDatabase } from '../setup/database';

let platform: Platform;
let partner: Calls;
/** The partner before a restart of the API. */
let known: Calls | undefined;
let walletId: string;
let folder: string;
const backups: Record<string, Manifest> = {};

/** A payment company outside: it remembers what it was sent, whatever happens to us. */
const company = {
  /** Every call, as `submit <reference>` or `query <reference>`. */
  calls: [] as string[],
  orders: new Set<string>(),
  knows: false,
};
const withCompany = (environment: Environment): Environment =>
  withFake(environment, () => ({
    name: 'simulator',
    payouts: {
      submit: ({ reference }) => {
        company.calls.push(`submit ${reference}`);
        company.orders.add(reference);
        return Promise.resolve(saying('accepted', { providerRef: reference, pollAfterMs: 500 }));
      },
      query: ({ reference }) => {
        company.calls.push(`query ${reference}`);
        if (!company.orders.has(reference)) return Promise.resolve(saying('not_found'));
        const known = saying('success', { providerRef: reference });
        return Promise.resolve(company.knows ? known : saying('unknown', { pollAfterMs: 500 }));
      },
    },
  }));

async function start(): Promise<void> {
  const [url] = await Promise.all([platform.startApi(withCompany), platform.startWorker(withCompany)]);
  partner = known?.at(url) ?? (await platform.partner(url));
  known = partner;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-test-backup-'));
  platform = await openPlatform({ settings: FREQUENT_SCHEDULES });
  await start();
  walletId = (await partner.wallet(10_000_000)).id;
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

const KEYS = [Buffer.from(TEST_SECRETS.AUDIT_KEY, 'base64')];
async function backUp(name: string): Promise<void> {
  backups[name] = await takeBackup(
    folder,
    asOwners(platform.databaseUrl),
    TEST_CELLS,
    async (client) => {
      const verdict = await verifyAudit(client, KEYS);
      return verdict.ok ? verdict.end : Promise.reject(new Error(verdict.why));
    },
    () => undefined,
  );
}
const bringBack = (name: string, url = platform.databaseUrl, overwrite: string | null = null) =>
  restoreBackup(folder, backups[name]!, asOwners(url), overwrite, () => undefined);

const sent = (id: string): number => company.calls.filter((call) => call === `submit tx-${id}-1`).length;
const send = async (): Promise<{ id: string; reference: string }> => {
  const { reference, reply } = await partner.bankTransfer(walletId);
  return { id: reply.body.data.id, reference };
};
const sentOnce = async (transfer: { id: string; reference: string }) => {
  await until(`the order of ${transfer.id}`, () => sent(transfer.id) > 0);
  return transfer;
};
const findings = (resource: string): Promise<Json[]> =>
  platform.sql(`SELECT class, detail FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1`, [resource]);

test('the ledger is lost and restored: every open transfer is asked about first, and ends once', async () => {
  const open = await sentOnce(await send());
  const ended = await sentOnce(await send());
  // Accepted before the backup, and sent after it: the restored ledger does not know that it was sent.
  const unsent = await (async () => {
    await platform.temporal.stop();
    return send();
  })();
  await backUp('with transfers in flight');
  await platform.temporal.start();
  await sentOnce(unsent);
  company.knows = true;
  await until(
    'the end of a transfer',
    async () => (await partner.transaction(walletId, ended.reference)).status === 'completed',
  );
  const after = await partner.wallet();
  const lost = await sentOnce(await send());
  company.knows = false;

  await expect(bringBack('with transfers in flight')).rejects.toThrow(
    'Stop every API and every worker first',
  );
  await platform.halt();
  await expect(bringBack('with transfers in flight')).rejects.toThrow('has data');
  const database = new URL(platform.databaseUrl).pathname.slice(1);
  await openDatabase(platform.databaseUrl, AREAS);
  await bringBack('with transfers in flight', platform.databaseUrl, database);
  company.calls = [];
  company.knows = true;
  await start();

  for (const { id, reference } of [open, ended, unsent]) {
    expect((await partner.ended(walletId, reference)).status).toBe('completed');
    expect(company.calls.filter((call) => call.endsWith(`${id}-1`))[0]).toBe(`query tx-${id}-1`);
    expect(sent(id)).toBe(0);
  }
  expect(await partner.transaction(walletId, lost.reference)).toBeUndefined();
  await until('the finding about what was lost', async () => (await findings(lost.id)).length > 0);
  expect(await findings(lost.id)).toMatchObject([
    {
      class: 'lost_in_restore',
      detail: {
        workflow_id: `bank-transfer/${lost.id}`,
        companies: ['simulator'],
        references: expect.arrayContaining([...company.orders].filter((one) => one.includes(lost.id))),
      },
    },
  ]);
  expect(await findings(after.id)).toMatchObject([{ class: 'lost_in_restore' }]);
  // The number of the lost wallet is known to people, who may send money to it.
  expect((await partner.wallet()).accountNumber).not.toBe(after.accountNumber);
  const fresh = await sentOnce(await send());
  expect((await partner.ended(walletId, fresh.reference)).status).toBe('completed');
  expect(company.calls.find((call) => call.endsWith(`${fresh.id}-1`))).toBe(`submit tx-${fresh.id}-1`);
});

test('the ledger and Temporal are both lost: what was shipped outside says what was answered, and by which reference', async () => {
  company.knows = false;
  const known = await sentOnce(await send());
  await backUp('before both are lost');
  const outside = mkdtempSync(join(tmpdir(), 'wallet-test-movements-'));
  const pool = openPatientPool(asLogin(platform.databaseUrl, 'sandbox_reconcile'), 10_000);
  const shipper = openShipper(
    pool,
    directoryOf('sandbox'),
    [{ schema: SANDBOX_CELL, pool }],
    openDestination(pathToFileURL(outside).href, null),
    new Date(),
  );
  const paidReference = `both-${randomUUID()}`;
  const other = await partner.wallet();
  const paid = await partner.post('/v1/transfers/p2p', {
    source_wallet: walletId,
    dest_wallet: other.id,
    amount: 7_000,
    reference: paidReference,
  });
  const sentOut = await sentOnce(await send());
  await shipper.ship();
  expect(await shipper.ship()).toBe(0);
  await pool.end();

  await platform.halt();
  const database = new URL(platform.databaseUrl).pathname.slice(1);
  await openDatabase(platform.databaseUrl, AREAS);
  await bringBack('before both are lost', platform.databaseUrl, database);
  await platform.temporal.replace();
  const owner = openPatientPool(asLogin(platform.databaseUrl, 'sandbox_migrate'), 10_000);
  const compared = () => compareMovements(owner, [SANDBOX_CELL], linesIn(filesOf([outside])));
  expect((await compared()).forgotten).toBeGreaterThanOrEqual(2);
  // A second look writes to the same rows.
  await compared();
  await owner.end();
  rmSync(outside, { recursive: true });

  const paidId = paid.body.data.id as string;
  expect(await findings(paidId)).toMatchObject([
    {
      class: 'lost_in_restore',
      detail: {
        partner_id: expect.any(String),
        type: 'p2p_transfer',
        was: 'completed',
        is: 'forgotten',
        reference: paidReference,
        kobo: 7_000,
        source_wallet: walletId,
        dest_wallet: other.id,
        orders: [],
      },
    },
  ]);
  // The order of a transfer that had not ended is told by the reference that the company has.
  expect(await findings(sentOut.id)).toMatchObject([
    {
      class: 'lost_in_restore',
      detail: {
        was: 'processing',
        orders: [{ company: 'simulator', reference: `tx-${sentOut.id}-1`, state: 'accepted' }],
      },
    },
  ]);
  expect(await findings(known.id)).toEqual([]);
  company.knows = true;
  await start();
  expect((await partner.ended(walletId, known.reference)).status).toBe('completed');
});

test('Temporal is put back under running workers: every transfer ends, and none is paid twice', async () => {
  company.knows = false;
  const open = await sentOnce(await send());
  await platform.temporal.keep();
  const later = await sentOnce(await send());
  const ended = await sentOnce(await send());
  company.knows = true;
  expect((await partner.ended(walletId, ended.reference)).status).toBe('completed');
  await platform.temporal.putBack();
  for (const { id, reference } of [open, later, ended]) {
    expect((await partner.ended(walletId, reference)).status).toBe('completed');
    expect(sent(id)).toBe(1);
  }
});

test('a backup goes to an empty database of a new server, and its files are checked before', async () => {
  const receiver = await openReceiver();
  const endpoint = { url: receiver.url, events: ['wallet.activated'] };
  expect(await partner.post('/v1/webhooks', endpoint)).toMatchObject({ status: 201 });
  await partner.wallet();
  await platform.halt();
  await receiver.close();
  const claim = `UPDATE ${SANDBOX_CELL}.deliveries SET claimed_until = now() + interval '1 hour' RETURNING event_id`;
  expect(await platform.sql(claim)).not.toEqual([]);
  await backUp('to move');
  const name = `${new URL(platform.databaseUrl).pathname.slice(1)}_moved`;
  await createDatabase(onDatabase(platform.databaseUrl, 'postgres'), name);
  const moved = onDatabase(platform.databaseUrl, name);
  await openDatabase(moved, AREAS);
  await bringBack('to move', moved);
  expect(await auditCell(moved, SANDBOX_CELL)).toEqual([]);
  // No process that claimed a delivery is alive.
  const looking = await connect(moved);
  const claimed = `SELECT event_id FROM ${SANDBOX_CELL}.deliveries WHERE claimed_until > now()`;
  const { rows } = await looking.query(claimed);
  await looking.end();
  expect(rows).toEqual([]);
  const [file] = backups['to move']!.tables.map((table) => table.file);
  truncateSync(join(folder, file ?? ''), 3);
  await expect(bringBack('to move', moved, name)).rejects.toThrow('missing or damaged');
});
