/** Takes the texts of people out of transactions. Nothing that the books count is touched. */
import type { Cell } from '../pg/postgres';

/** A batch takes far less than the time limit of a statement. */
const BATCH = 500;

/** What stays of the metadata of a transaction: its place in a split, which is no personal data. */
const KEPT_METADATA = `CASE WHEN metadata->'split_index' IS NULL THEN '{}'::json
  ELSE json_build_object('split_index', metadata->'split_index') END`;

/**
 * Blanks the descriptions and metadata of all transactions of a closed wallet, in small batches. The metadata of a
 * reversal names the original by its ids only, and stays. Harmless the second time: it finds nothing left.
 */
export async function blankTexts({ pool, schema }: Cell, walletId: string): Promise<void> {
  for (const side of ['source_wallet', 'dest_wallet']) {
    for (let blanked = BATCH; blanked === BATCH;) {
      const { rowCount } = await pool.query(
        `UPDATE ${schema}.transactions SET description = '', metadata = ${KEPT_METADATA} WHERE id = ANY(ARRAY(
           SELECT id FROM ${schema}.transactions t WHERE ${side} = $1
              AND NOT EXISTS (SELECT FROM ${schema}.reversals WHERE reversal_id = t.id)
              AND (description <> '' OR metadata::text <> (${KEPT_METADATA})::text) LIMIT ${String(BATCH)}))`,
        [walletId],
      );
      blanked = rowCount ?? 0;
    }
  }
}
