/** A past for the books: wallets, and transfers between them that happened before anybody measured. */
import type pg from 'pg';
import { present } from '../../src/domain/assert';
import { feesFor } from '../../src/domain/kinds';
import { p2pPostings } from '../../src/domain/postings';
import { checkBooks } from './books';
import { bulkLoad } from './bulk';
import { CELL } from './cell';
import { FUND_KOBO } from './p2p';
import type { BenchPlatform } from './platform';
import { makeWallets } from './wallets';

export interface History {
  wallets: string[];
  /** One of them, which got a quarter of all transfers. */
  busy: string;
  /** The transfers' references are `order-1` and so on; every fourth paid the busy wallet. */
  references: number;
}

const AMOUNT_KOBO = 10_000;
/** The tables that are only inserted into. Nothing is looked up in them until their indexes are built. */
const TABLES = ['wallets', 'transactions', 'entries', 'used_references', 'idempotency_keys'];

export async function makeHistory(
  platform: BenchPlatform,
  size: { wallets: number; transactions: number },
): Promise<History> {
  const { partnerId } = platform;
  const wallets = await bulkLoad(platform, TABLES, async (client) => {
    const ids = await makeWallets(client, partnerId, size.wallets, FUND_KOBO);
    await drawTransfers(client, ids, size.transactions);
    await writeTransfers(client, partnerId);
    await writeEntries(client);
    return ids;
  });
  await checkBooks(platform);
  return { wallets, busy: present(wallets[0], 'a wallet'), references: size.transactions };
}

/** Who paid whom, a millisecond apart until now; the first wallet only receives. */
async function drawTransfers(
  client: pg.Client,
  wallets: readonly string[],
  transactions: number,
): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE numbered AS
       SELECT id, (place - 1)::int AS place FROM unnest($1::uuid[]) WITH ORDINALITY AS w(id, place)`,
    [wallets],
  );
  await client.query(
    `CREATE TEMP TABLE drawn AS
       SELECT n, uuidv7((n - $2) * interval '1 millisecond') AS id,
              1 + floor(random() * $1)::int AS payer, 1 + floor(random() * ($1 - 1))::int AS further
         FROM generate_series(1, $2::int) n`,
    [wallets.length - 1, transactions],
  );
  await client.query(
    `CREATE TEMP TABLE transfers AS
       SELECT d.n, d.id, uuid_extract_timestamp(d.id)::timestamptz(3) AS at, source.id AS source, dest.id AS dest
         FROM drawn d JOIN numbered source ON source.place = d.payer
         JOIN numbered dest
           ON dest.place = CASE WHEN n % 4 = 0 THEN 0 ELSE 1 + (payer - 1 + further) % $1::int END
        ORDER BY d.n`,
    [wallets.length - 1],
  );
}

async function writeTransfers(client: pg.Client, partnerId: string): Promise<void> {
  const fees = feesFor('p2p_transfer', AMOUNT_KOBO);
  await client.query(
    `INSERT INTO ${CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet, dest_wallet,
       customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
     SELECT id, $1, 'order-' || n, 'p2p_transfer', 'completed', $2::bigint, source, dest, $3, 0, 0, $2, at, at, at
       FROM transfers ORDER BY n`,
    [partnerId, AMOUNT_KOBO, fees.customerFeeKobo],
  );
  await client.query(
    `INSERT INTO ${CELL}.used_references (partner_id, reference, transaction_id, resource_id, terms)
     SELECT $1, 'order-' || n, id, id, json_build_array('p2p_transfer', source, dest, $2::bigint)::text
       FROM transfers ORDER BY n`,
    [partnerId, AMOUNT_KOBO],
  );
  // Keys are forgotten after a day.
  await client.query(
    `INSERT INTO ${CELL}.idempotency_keys (partner_id, operation, key, fingerprint, transaction_id, form, request_id,
       created_at)
     SELECT $1, 'p2pTransfer', gen_random_uuid(), encode(sha256(id::text::bytea), 'base64'), id, 'reference',
            gen_random_uuid(), at
       FROM transfers WHERE n % 5 = 0 ORDER BY n`,
    [partnerId],
  );
}

async function writeEntries(client: pg.Client): Promise<void> {
  const [source, dest, ...own] = p2pPostings(
    { source: 'source', dest: 'dest' },
    AMOUNT_KOBO,
    feesFor('p2p_transfer', AMOUNT_KOBO),
  );
  const columns = 'transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at';
  await client.query(
    `CREATE TEMP TABLE legs AS
       SELECT *, 1 + row_number() OVER along AS sequence, $3::bigint + sum(amount) OVER along AS balance
         FROM (SELECT n, id, at, source AS account, $1::bigint AS amount FROM transfers
               UNION ALL SELECT n, id, at, dest, $2::bigint FROM transfers) leg
       WINDOW along AS (PARTITION BY account ORDER BY n ROWS UNBOUNDED PRECEDING)`,
    [source?.amountKobo, dest?.amountKobo, FUND_KOBO],
  );
  await client.query(
    `INSERT INTO ${CELL}.entries (${columns})
     SELECT id, 'accept', account, uuidv7(), amount, sequence, balance, at FROM legs`,
  );
  for (const posting of own) {
    await client.query(
      `INSERT INTO ${CELL}.entries (${columns})
       SELECT id, 'accept', $1, uuidv7(), $2, NULL, NULL, at FROM transfers`,
      [posting.account, posting.amountKobo],
    );
  }
  await client.query(
    `UPDATE ${CELL}.accounts a SET balance_kobo = last.balance, sequence = last.sequence
       FROM (SELECT DISTINCT ON (account) account, balance, sequence FROM legs
              ORDER BY account, sequence DESC) last
      WHERE a.id = last.account`,
  );
}
