/**
 * What should have a workflow at work, by kind: one row for each. The reconciliation goes through it, and replaces the
 * workflows that are broken (R16). The workflow of a return is not here: the callbacks of providers say when there
 * has to be one.
 */
import { neglectedEndpoints } from '../db/events/dispatchers';
import { partnersWithRecord } from '../db/partners/compliance';
import type { Cell } from '../db/pg/postgres';
import { unfinishedResets, unfinished, type UnfinishedKind, type WorkPage } from '../db/reconcile/unfinished';
import type { Intention } from '../domain/intentions';
import { dispatcherIntention, kybIntention, resetIntention } from '../contract/intentions';

/** A cell as reconciliation may see it, and as the worker sees it. */
interface SeenCell {
  cell: Cell;
  own: Cell;
}

export interface OpenWork {
  /** The workflows of this kind that should be at work, in the order of their resources' ids. */
  list: (seen: SeenCell, page: WorkPage) => Promise<Intention[]>;
  /**
   * Whether nobody else would start the workflow. Otherwise it is replaced only when its tasks fail: the next message
   * starts it where it does not run.
   */
  isStartedHere: boolean;
}

const withIntention = (kind: UnfinishedKind): OpenWork => ({
  list: ({ cell }, page) => unfinished(cell, kind, page),
  isStartedHere: true,
});

/** By the first part of the workflow's id. */
export const OPEN_WORK: Readonly<Record<string, OpenWork>> = {
  'wallet/': withIntention('wallet/'),
  'bank-transfer/': withIntention('bank-transfer/'),
  'bulk/': withIntention('bulk/'),
  'ussd/': withIntention('ussd/'),
  'kyc/': withIntention('kyc/'),
  'hold/': withIntention('hold/'),
  'refund/': withIntention('refund/'),
  'account-closing/': withIntention('account-closing/'),
  'kyb/': {
    list: async ({ own }, page) => (await partnersWithRecord(own, page)).map(kybIntention),
    isStartedHere: false,
  },
  'webhook/': {
    list: async ({ own }, page) =>
      (await neglectedEndpoints(own, page.sinceMs, page)).map(dispatcherIntention),
    isStartedHere: false,
  },
  'sandbox-reset/': {
    list: async ({ cell }, page) => (await unfinishedResets(cell, page)).map(resetIntention),
    isStartedHere: true,
  },
};
