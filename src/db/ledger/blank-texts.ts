/** Takes the texts of people out of transactions. Nothing that the books count is touched. */
import { isAnyNamed, withoutNamed, type NamingTexts } from '../../domain/naming-texts';
import type { SplitShare } from '../../domain/transactions';
import type { Metadata } from '../../domain/wallets';
import { inTransaction, type Cell } from '../pg/postgres';

/** A batch takes far less than the time limit of a statement. */
const BATCH = 500;

/** What stays of the metadata of a transaction: its place in a split, which is no personal data. */
const KEPT_METADATA = `CASE WHEN metadata->'split_index' IS NULL THEN '{}'::json
  ELSE json_build_object('split_index', metadata->'split_index') END`;

/** Whether `t` is a leg of a split: its reference leads to a first leg, which has the shares of all. */
const isLeg = (schema: string): string => `t.metadata->'split_index' IS NOT NULL AND EXISTS (
  SELECT FROM ${schema}.used_references u JOIN ${schema}.transactions first_leg ON first_leg.id = u.transaction_id
   WHERE (u.partner_id, u.reference) = (t.partner_id, t.reference) AND first_leg.split_config IS NOT NULL)`;

/**
 * Blanks the descriptions and metadata of the transactions of a closed wallet, in small batches. The metadata of a
 * reversal names the original by its ids only, and stays. Harmless the second time: it finds nothing left.
 * @param naming the texts by which the owner is found in what the legs of a split share.
 */
export async function blankTexts(cell: Cell, walletId: string, naming: NamingTexts): Promise<void> {
  const { pool, schema } = cell;
  // A leg of a split that the wallet received is left out here, because its texts are about many.
  for (const isOfWallet of ['source_wallet = $1', `dest_wallet = $1 AND NOT (${isLeg(schema)})`]) {
    for (let blanked = BATCH; blanked === BATCH;) {
      const { rowCount } = await pool.query(
        `UPDATE ${schema}.transactions SET description = '', metadata = ${KEPT_METADATA} WHERE id = ANY(ARRAY(
           SELECT id FROM ${schema}.transactions t WHERE ${isOfWallet}
              AND NOT EXISTS (SELECT FROM ${schema}.reversals WHERE reversal_id = t.id)
              AND (description <> '' OR metadata::text <> (${KEPT_METADATA})::text) LIMIT ${String(BATCH)}))`,
        [walletId],
      );
      blanked = rowCount ?? 0;
    }
  }
  await blankReceivedSplits(cell, walletId, naming);
}

interface Leg {
  id: string;
  dest_wallet: string;
  split_config: SplitShare[] | null;
  description: string;
  metadata: Metadata;
  texts_erased_at: Date | null;
}

/**
 * Splits that the wallet received a share of. Its own legs show no texts any more. Those of the other wallets stay,
 * but for what names the owner. A split is one commit, so a crash leaves whole ones to the next call.
 */
async function blankReceivedSplits(cell: Cell, walletId: string, naming: NamingTexts): Promise<void> {
  const { pool, schema } = cell;
  const next = async (): Promise<string | undefined> => {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM ${schema}.transactions t
        WHERE dest_wallet = $1 AND texts_erased_at IS NULL AND ${isLeg(schema)} LIMIT 1`,
      [walletId],
    );
    return rows[0]?.id;
  };
  for (let legId = await next(); legId !== undefined; legId = await next()) {
    await inTransaction(pool, async (trx) => {
      const { rows: legs } = await trx.query<Leg>(
        `SELECT t.id, t.dest_wallet, t.split_config, t.description, t.metadata, t.texts_erased_at
           FROM ${schema}.transactions own JOIN ${schema}.transactions t
                USING (source_wallet, created_at, partner_id, reference, type)
          WHERE own.id = $1 ORDER BY t.id FOR UPDATE OF t`,
        [legId],
      );
      const left = legs.map((leg) => without(leg, walletId, naming));
      await trx.query(
        `UPDATE ${schema}.transactions t SET description = v.description, metadata = v.metadata,
                texts_erased_at = CASE WHEN v.is_own THEN coalesce(t.texts_erased_at, now()) ELSE t.texts_erased_at END
           FROM unnest($1::uuid[], $2::text[], $3::json[], $4::boolean[]) AS v(id, description, metadata, is_own)
          WHERE t.id = v.id`,
        [
          legs.map(({ id }) => id),
          left.map(({ description }) => description),
          left.map(({ metadata }) => JSON.stringify(metadata)),
          legs.map((leg) => leg.dest_wallet === walletId),
        ],
      );
    });
  }
}

/** The texts of a leg without the owner of a wallet. The first leg goes on carrying what the legs share. */
function without(leg: Leg, walletId: string, naming: NamingTexts): Pick<Leg, 'description' | 'metadata'> {
  const isGone = leg.dest_wallet === walletId || isAnyNamed(leg.description, naming);
  const { split_index: place, ...shared } = leg.metadata;
  return {
    description: isGone ? '' : leg.description,
    metadata: { ...withoutNamed(shared, naming), split_index: place },
  };
}
