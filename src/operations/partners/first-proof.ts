/**
 * The first proof of a mailbox ends what was made for the partner before it. Whoever registers first with an address may be
 * a stranger, and would stay a hidden owner otherwise.
 */
import type { PoolClient } from 'pg';
import { endEndpointsMade } from '../../db/events/endpoints';
import {
  dueEndings,
  endAllOf,
  forgetEnding,
  holderOf,
  takeFromUnproved,
  type Ended,
  type Ending,
} from '../../db/partners/first-proof';
import { insertEndedNotice } from '../../db/partners/security-events';
import { claimEmail, type KnownUser } from '../../db/partners/users';
import { CELL_ACTS, type SecurityEvent } from '../../domain/security-events';
import type { EnvironmentName } from '../../domain/partners';
import type { Environment } from '../../runtime/environment';
import { within } from '../../runtime/temporal-connection';
import { takeRecordBack } from './compliance';
import { eventOf } from './security';

export interface EndingDeps {
  /** Those of this process; the sweep of the others ends what is theirs. */
  environments: Readonly<Partial<Record<EnvironmentName, Environment>>>;
  afterwards: (work: () => Promise<void>) => void;
}

/**
 * Ends everything of the user's partner that was made before, in the transaction of the proof, and tells of it by mail.
 * The address of the user counts as confirmed by then, so that the mail goes there. A second call finds nothing, and
 * tells nothing.
 */
export async function endWhatWasMadeBefore(
  trx: PoolClient,
  record: (event: SecurityEvent) => Promise<void>,
  user: KnownUser,
  address: string,
): Promise<void> {
  const ended = await endAllOf(trx, user.partner.id, user.id, { userId: user.id, address });
  if (Object.values(ended).every((count) => count === 0)) return;
  await record(eventOf(user, 'account.cleared', address, { email: user.email, ...countsOf(ended) }));
}

/** How many of each were ended, as a security event shows it. */
export const countsOf = (ended: Partial<Ended>): Record<string, string> =>
  Object.fromEntries(Object.entries(ended).map(([name, count]) => [snakeCase(name), String(count)]));

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Claims an address for somebody who has just shown to read its mails. A user who has never shown it gives way.
 * @param db a transaction.
 * @param email in lower case.
 * @param userId the user; null for a new one.
 * @returns false when it is the proved address of another user, or may be taken back.
 */
export async function claimProvedEmail(
  trx: PoolClient,
  email: string,
  userId: string | null,
  address: string,
): Promise<boolean> {
  const holder = await holderOf(trx, email);
  if (holder && !holder.isProved && holder.userId !== userId) {
    await takeFromUnproved(trx, holder, { userId, address });
  }
  return claimEmail(trx, email, userId);
}

/** How many endings are read at once. The next look takes the others. */
const ENDINGS_MAX = 500;

/**
 * Ends the endpoints that a proof has left to do in an environment, and takes back what was submitted of the compliance
 * record. A second call, or one of another process at the same time, finds it done.
 * @returns for how many partners that was done.
 * @throws the first error, after the others were done.
 */
export async function endWhatIsLeft(environment: Environment): Promise<number> {
  const due = await dueEndings(environment.partnersPool, environment.name, ENDINGS_MAX);
  const failed: unknown[] = [];
  for (const ending of due) {
    await endOne(environment, ending).catch((error: unknown) => failed.push(error));
  }
  if (failed.length > 0) throw failed[0];
  return due.length;
}

async function endOne(environment: Environment, ending: Ending): Promise<void> {
  const { partnerId, userId, address, madeUntil: until, madeSince: since } = ending;
  const { cell, partner } = await environment.partner(partnerId);
  await endEndpointsMade(cell, partnerId, { until, since }, (trx, { id, url }) =>
    insertEndedNotice(trx, cell.schema, id, {
      partnerId,
      userId,
      address,
      kind: CELL_ACTS.endpoint_deleted[environment.name],
      detail: { endpoint_id: id, host: new URL(url).host },
    }),
  );
  environment.relay.bringNoticesLater(cell);
  await takeRecordBack({ environment, cell, partner }, { until, since });
  await forgetEnding(environment.partnersPool, environment.name, ending);
}

/** For how long a proof waits for it. What lasts longer goes on after the answer. */
const WAIT_MS = 3_000;

/**
 * The same for the environments of this process, right after the commit of a proof. What fails is left to the sweep, because
 * the proof stands.
 */
export async function endLeftNow({ environments, afterwards }: EndingDeps): Promise<void> {
  const work = Promise.all(Object.values(environments).map(endWhatIsLeft)).then(() => undefined);
  afterwards(() => work);
  await within(WAIT_MS, () => work).catch(() => undefined);
}
