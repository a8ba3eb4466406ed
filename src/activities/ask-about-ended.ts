/**
 * The daily look at transfers that have ended: a company may take a payment back, or pay after a failure, and its event may
 * be lost. Each company says for how many days it may change its mind (`PayoutTerms`). So the look costs one question for each
 * transfer of these days, and never more than a tenth of the calls that the company allows.
 */
import { heartbeat, sleep } from '@temporalio/activity';
import { listEndedPayouts } from '../db/payments/ended-payouts';
import type { Cell } from '../db/pg/postgres';
import { readPosition, writePosition } from '../db/reconcile/pages';
import { askAgain } from '../operations/money/ask-again';
import { companiesWithOrders, type OpenCell } from '../runtime/environment';
import type { Dependencies } from './dependencies';

const PAGE = 100;
/** One in so many of the calls that a company allows. */
const SHARE_OF_CALLS = 10;
/** One in so many of the time between two looks, for all cells together. The next look goes on where this one stops. */
const SHARE_OF_TIME = 8;
const MINUTE_MS = 60_000;

/**
 * Asks about the transfers of one cell that have ended lately, page by page, and books what follows. It goes on where the
 * last look has stopped, and begins anew behind the last transfer. To ask twice is harmless (`askAgain`).
 * @param own the cell as the worker sees it, which books.
 * @param reconciled the same cell as the reconciliation sees it, which keeps the place.
 */
export async function askAboutEnded(
  { environment, config, logger }: Dependencies,
  own: OpenCell,
  reconciled: Cell,
): Promise<void> {
  const { providers, cells } = environment;
  const endsAt = Date.now() + config.RECONCILE_ALL_EVERY_MS / SHARE_OF_TIME / cells.size;
  for (const { name: provider, payouts } of companiesWithOrders(providers)) {
    const { terms } = payouts;
    // A company in our own process forgets nothing, and sends no events.
    if (!terms) continue;
    const paceMs = (MINUTE_MS * SHARE_OF_CALLS) / terms.callsPerMinute;
    const place = `ended ${provider}`;
    let after = (await readPosition(reconciled, place)) || null;
    do {
      const page = await listEndedPayouts(own, { provider, days: terms.changesForDays, after, limit: PAGE });
      for (const { partnerId, transactionId } of page) {
        heartbeat();
        const tenant = { environment, ...(await environment.partner(partnerId)) };
        await askAgain(tenant, logger, transactionId, provider).catch((error: unknown) => {
          logger.warn({ err: error, transactionId, provider }, 'What a company says now could not be booked');
        });
        after = transactionId;
        // A look that is broken off goes on here.
        await writePosition(reconciled, place, after);
        if (page.length > 1) await sleep(paceMs);
      }
      if (page.length < PAGE) after = null;
      await writePosition(reconciled, place, after ?? '');
    } while (after !== null && Date.now() < endsAt);
  }
}
