/**
 * Reconciliation checks the books of a cell: against the rules that must be true of them, and against what
 * providers and Temporal say. It writes findings. The only thing that it mends is a workflow that is missing or
 * keeps failing, which it starts anew (R16).
 */
import { heartbeat } from '@temporalio/activity';
import {
  closeContradicted,
  closeLate,
  compareCallbacks,
  type LateCallback,
  type Place,
} from '../db/payments/callbacks';
import { idNamed } from '../db/pg/ids';
import { closeFindings, openFindings, recordFindings, withoutResets } from '../db/reconcile/findings';
import { checkAccounts } from '../db/reconcile/accounts';
import {
  movedPage,
  nextAccounts,
  nextTransactions,
  readPosition,
  summarizeMoves,
  WHOLE_RUN,
  writePosition,
  type Page,
} from '../db/reconcile/pages';
import {
  checkTransactions,
  expiredSessions,
  lateTransfers,
  sumOfEntries,
  TRANSACTION_CLASSES,
} from '../db/reconcile/transactions';
import { differenceOf, suspenseBalances } from '../db/reconcile/suspense';
import { lastRestoredAt } from '../db/upkeep/restores';
import type { Cell, SealedCell } from '../db/pg/postgres';
import type { WorkPage } from '../db/reconcile/unfinished';
import { present } from '../domain/assert';
import type { Finding, FindingClass } from '../domain/findings';
import { payoutReference } from '../domain/payouts';
import { bankReturnIntention } from '../contract/intentions';
import type { Intention } from '../domain/intentions';
import { brokenWorkflows, endRun, replaceWorkflow, type BrokenWorkflow } from '../relay/revive';
import { buildsAtWork } from '../runtime/worker-deployment';
import type { Dependencies } from './dependencies';
import { latePayouts } from './late-payouts';
import { findLostInRestores } from './lost-in-restore';
import { OPEN_WORK, type OpenWork } from './open-work';

const PAGE = 1_000;
/**
 * After this time a run that does not check everything begins no further page, and the next run continues there.
 */
const RUN_MS = 20_000;
/**
 * How many old transactions and wallets one run checks. With a run each minute these are fourteen million a day.
 */
const PAGES_PER_RUN = 10;
/**
 * The shortest and longest window of time for one page: a busy cell has thousands of transactions in a second, a
 * quiet one has none in an hour.
 */
const WINDOW_MS = { least: 50, first: 2_000, most: 60_000 };
/** How many findings, late transfers and unfinished resources, of each kind, one run looks at again. */
const LOOKED_AT_MAX = 500;

/** What a run has done. */
export interface Reconciled {
  looked: number;
  found: number;
  closed: number;
  revived: number;
}

export function reconcileActivities(dependencies: Dependencies) {
  const { environment, config, logger } = dependencies;
  const late = latePayouts(dependencies);
  return {
    cellNames: (): Promise<string[]> => Promise.resolve([...environment.cells.keys()]),

    /**
     * Checks one cell: the open findings, what has moved, a part of the rest (all of it if `everything`),
     * callbacks, and workflows. To check it twice does no harm.
     */
    async reconcileCell(name: string, everything: boolean): Promise<Reconciled> {
      const own = present(environment.cells.get(name), `the cell ${name}`);
      const pool = present(environment.reconcilePool, 'the login that reconciles');
      const cell: SealedCell = { schema: own.schema, pool, sealing: own.sealing };
      const restoredAt = await lastRestoredAt(own.pool, environment.directory);
      const run = openRun(cell, own, everything, restoredAt);
      await lookAgain(run);
      await followMoves(run);
      await goRoundTransactions(run);
      await goRoundAccounts(run);
      await record(run, await differencesOf(cell));
      await record(run, await lateTransfersOf(cell, null));
      await record(run, await expired(cell, null));
      await holdCallbacks(run);
      if (everything) await askAboutReleased(run);
      for (const kind of Object.keys(OPEN_WORK)) await replaceBroken(run, kind);
      // One cell looks for all of them, because a forgotten partner has no cell.
      if (own === [...environment.cells.values()][0]) run.found += await findLostInRestores(environment);
      await writePosition(cell, WHOLE_RUN, '');
      const { looked, found, closed, revived } = run;
      if (found > 0) logger.warn({ cell: name, found }, 'The reconciliation has findings');
      return { looked, found, closed, revived };
    },
  };

  /**
   * Looks at open findings first, and closes those whose cause is gone. A finding about a provider stays until
   * people close it.
   */
  async function lookAgain(run: Run): Promise<void> {
    const again = async (classes: readonly FindingClass[], check: (ids: string[]) => Promise<Finding[]>) => {
      const open = await openFindings(run.cell.pool, run.cell.schema, classes, LOOKED_AT_MAX);
      if (open.length === 0) return;
      const still = await check([...new Set(open.map(({ resource }) => resource))]);
      await record(run, still);
      const nameOf = (one: Pick<Finding, 'class' | 'resource'>) => `${one.class} ${one.resource}`;
      const names = new Set(still.map(nameOf));
      const gone = open.filter((one) => !names.has(nameOf(one)));
      await closeFindings(run.cell.pool, run.cell.schema, gone);
      run.closed += gone.length;
    };
    await again(TRANSACTION_CLASSES, (ids) => wrongTransactions(run.cell, ids));
    await again(['balance_mismatch', 'held_mismatch'], (ids) => wrongAccounts(run.cell, ids));
    run.closed += await closeContradicted(run.cell, null);
    await again(['suspense_differs'], () => differencesOf(run.cell));
    await again(['processing_too_long'], (ids) => lateTransfersOf(run.cell, ids));
    await again(['expired_but_open'], (ids) => expired(run.cell, ids));
    await again(['workflow_missing', 'workflow_failing'], async (among) => {
      const page = { afterId: null, limit: LOOKED_AT_MAX, sinceMs: config.RECONCILE_AFTER_MS, among };
      const broken = await Promise.all(Object.values(OPEN_WORK).map((work) => brokenOf(run, work, page)));
      return broken.flatMap((one) => one.broken.flatMap(findingsOf));
    });
  }

  /**
   * Checks what has moved since the last run, in the order of the moves. It reads windows of time that hold about
   * a page.
   */
  async function followMoves(run: Run): Promise<void> {
    await summarizeMoves(run.cell);
    let position = await readPosition(run.cell, 'moves');
    let windowMs = WINDOW_MS.first;
    for (;;) {
      const asked = { settledMs: config.RECONCILE_AFTER_MS, windowMs, limit: PAGE };
      const page = await movedPage(run.cell, position, asked);
      await check(run, page);
      position = page.position;
      const isEnd = page.next === null || run.isOver();
      // Going through an hour without transactions should not cost a commit for each minute of it.
      if (page.ids.length > 0 || isEnd) await writePosition(run.cell, 'moves', position);
      if (isEnd) return;
      windowMs = nextWindow(windowMs, page.ids.length);
    }
  }

  async function check(run: Run, page: Pick<Page, 'ids' | 'wallets'>): Promise<void> {
    heartbeat();
    run.looked += page.ids.length;
    if (page.ids.length > 0) await record(run, await wrongTransactions(run.cell, page.ids));
    if (page.wallets.length > 0) await record(run, await wrongAccounts(run.cell, page.wallets));
  }

  async function wrongTransactions(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
    return withoutResets(cell.pool, cell.schema, await checkTransactions(cell, ids, config.RETENTION_MS));
  }

  async function wrongAccounts(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
    return withoutResets(cell.pool, cell.schema, await checkAccounts(cell, ids));
  }

  async function lateTransfersOf(cell: Cell, among: readonly string[] | null): Promise<Finding[]> {
    const found = await lateTransfers(cell, config.TRANSFER_ALERT_AFTER_MS, LOOKED_AT_MAX, among);
    return withoutResets(cell.pool, cell.schema, found);
  }

  async function expired(cell: Cell, among: readonly string[] | null): Promise<Finding[]> {
    return withoutResets(cell.pool, cell.schema, await expiredSessions(cell, LOOKED_AT_MAX, among));
  }

  /** The accounts of suspense whose balance is not the sum of their open findings. */
  async function differencesOf(cell: Cell): Promise<Finding[]> {
    const all = (await suspenseBalances(cell)).map((balance) => differenceOf(cell.schema, balance));
    return all.filter(({ differs }) => differs).map(({ finding }) => finding);
  }

  /**
   * Goes through all transactions, part by part. After the last part the sum of all entries of the cell is known.
   */
  async function goRoundTransactions(run: Run): Promise<void> {
    const kept = await readPosition(run.cell, 'transactions');
    const [before = '', sumBefore = '0'] = (!run.everything && kept?.split('|')) || [];
    let [after, sum]: [string | null, bigint] = [before || null, BigInt(sumBefore)];
    for (let pages = 0; run.everything || (pages < PAGES_PER_RUN && !run.isOver()); pages++) {
      const page = await nextTransactions(run.cell, after, PAGE);
      await check(run, page);
      sum += await sumOfEntries(run.cell, page.ids);
      after = page.next;
      await writePosition(run.cell, 'transactions', after === null ? '' : `${after}|${String(sum)}`);
      if (after === null) {
        await judgeSum(run, sum);
        return;
      }
    }
  }

  async function judgeSum(run: Run, sum: bigint): Promise<void> {
    const finding = { class: 'ledger_unbalanced' as const, resource: run.cell.schema };
    if (sum !== 0n) await record(run, [{ ...finding, detail: { sum: String(sum) } }]);
    else await closeFindings(run.cell.pool, run.cell.schema, [finding]);
  }

  async function goRoundAccounts(run: Run): Promise<void> {
    let after = run.everything ? null : (await readPosition(run.cell, 'accounts')) || null;
    for (let pages = 0; run.everything || (pages < PAGES_PER_RUN && !run.isOver()); pages++) {
      const page = await nextAccounts(run.cell, after, PAGE);
      await check(run, { ids: [], wallets: page.ids });
      after = page.next;
      await writePosition(run.cell, 'accounts', after ?? '');
      if (after === null) return;
    }
  }

  /**
   * Compares the callbacks of providers with our books. If the workflow of a reported return is missing or fails, it is
   * told again.
   */
  async function holdCallbacks(run: Run): Promise<void> {
    let after: Place | null = null;
    do {
      heartbeat();
      const page = await compareCallbacks(run.cell, { after, limit: PAGE });
      run.found += page.findings.length;
      for (const one of page.late) await askAboutLate(run, one);
      const intentions = page.returning.map(({ transfer }) => bankReturnIntention(transfer));
      const broken = await brokenAmong(run, intentions);
      for (const one of broken) await endRun(environment.temporal, one);
      const lost = new Set(broken.map(({ intention }) => intention.resourceId));
      const untold = page.returning.filter(({ transfer }) => lost.has(transfer.id));
      run.revived += await environment.relay.tell(run.own, untold);
      after = page.next;
    } while (after !== null && !run.isOver());
  }

  /** A callback says that an order was paid which was given up: its company is asked, and believed. */
  async function askAboutLate(run: Run, callback: LateCallback): Promise<void> {
    heartbeat();
    const { transfer, n, eventId } = callback;
    const { id: transactionId, partnerId, status } = transfer;
    const says = await late.follow({ partnerId, transactionId, n });
    // A later run asks again.
    if (says === null || says === 'unknown') return;
    const latePayout = idNamed(payoutReference(transactionId, n));
    const detail = {
      event_id: eventId,
      outcome: 'success',
      about: 'outcome',
      status,
      says,
      booked_as: latePayout,
    };
    const contradicted: Finding = { class: 'provider_contradiction', resource: transactionId, detail };
    const findings = says === 'success' ? [] : [contradicted];
    run.found += findings.length;
    await closeLate(run.cell, callback, findings);
  }

  /** Nobody has to tell us that a released order was paid after all, so we ask. */
  async function askAboutReleased(run: Run): Promise<void> {
    for (const attempt of await late.released(run.cell, LOOKED_AT_MAX)) {
      heartbeat();
      await late.follow(attempt);
    }
  }

  /** Starts workflows anew that should be at work and are missing, or whose tasks keep failing. */
  async function replaceBroken(run: Run, kind: string): Promise<void> {
    heartbeat();
    const work = present(OPEN_WORK[kind], `the kind ${kind}`);
    const pass = `unfinished ${kind}`;
    const afterId = (await readPosition(run.cell, pass)) || null;
    const sinceMs = config.RECONCILE_AFTER_MS;
    const page = { afterId, limit: LOOKED_AT_MAX, sinceMs };
    const { looked, broken } = await brokenOf(run, work, page);
    await writePosition(
      run.cell,
      pass,
      looked.length < LOOKED_AT_MAX ? '' : (looked.at(-1)?.resourceId ?? ''),
    );
    if (broken.length === 0) return;
    // Some have ended between the two queries: a workflow without an unfinished row is not missing.
    const among = broken.map(({ intention }) => intention.resourceId);
    const still = new Set((await work.list(run, { ...page, among })).map(({ workflowId }) => workflowId));
    for (const one of broken.filter(({ intention }) => still.has(intention.workflowId))) {
      await record(run, findingsOf(one));
      await replaceWorkflow(environment.temporal, environment.taskQueue, one);
      run.revived++;
    }
  }

  /** Temporal is asked about its builds only where there are workflows to judge: nothing else here needs it. */
  async function brokenAmong(run: Run, intentions: readonly Intention[]): Promise<BrokenWorkflow[]> {
    if (intentions.length === 0) return [];
    run.builds ??= buildsAtWork(environment.temporal.connection, environment);
    return brokenWorkflows(environment.temporal, intentions, {
      failingForMs: config.RECONCILE_AFTER_MS,
      restoredAt: run.restoredAt,
      builds: await run.builds,
    });
  }

  /** A page of one kind, and those of it whose workflow is to be started anew. */
  async function brokenOf(run: Run, work: OpenWork, page: WorkPage) {
    const looked = await work.list(run, page);
    const broken = await brokenAmong(run, looked);
    return { looked, broken: broken.filter(({ wrong }) => wrong !== 'closed' || work.isStartedHere) };
  }
}

/** The next window should hold about one page. */
const nextWindow = (windowMs: number, found: number): number => {
  const wanted = found >= PAGE ? windowMs / 2 : found < PAGE / 4 ? windowMs * 4 : windowMs;
  return Math.min(WINDOW_MS.most, Math.max(WINDOW_MS.least, wanted));
};

/** A workflow that is replaced because of a restore is no finding: that is what a restore asks for. */
const CLASS_OF_BROKEN = {
  closed: 'workflow_missing',
  failing: 'workflow_failing',
  abandoned: 'workflow_missing',
  stale: null,
} as const;

function findingsOf({ intention, wrong, was }: BrokenWorkflow): Finding[] {
  const name = CLASS_OF_BROKEN[wrong];
  const { workflowId, resourceId: resource } = intention;
  return name === null ? [] : [{ class: name, resource, detail: { workflow_id: workflowId, was } }];
}

/** One run over one cell, with its results so far. */
interface Run extends Reconciled {
  /** The cell as reconciliation may see it: it reads the books, and writes findings and its own progress. */
  readonly cell: SealedCell;
  /** The cell as the worker sees it, for what is told to workflows. */
  readonly own: Cell;
  readonly everything: boolean;
  /** When the database was restored from a backup; null if it never was. */
  readonly restoredAt: Date | null;
  /** The builds whose workers are at work; asked for when they are first needed. */
  builds?: Promise<ReadonlySet<string>>;
  isOver(): boolean;
}

function openRun(cell: SealedCell, own: Cell, everything: boolean, restoredAt: Date | null): Run {
  const endsAt = Date.now() + RUN_MS;
  const isOver = () => !everything && Date.now() > endsAt;
  return { cell, own, everything, restoredAt, isOver, looked: 0, found: 0, closed: 0, revived: 0 };
}

async function record(run: Run, findings: readonly Finding[]): Promise<void> {
  run.found += findings.length;
  await recordFindings(run.cell.pool, run.cell.schema, findings);
}
