/**
 * Gathers the requests of this process for the log that partners read (D209), and writes them four times a second with one
 * statement for each cell. No request waits for it. While Postgres does not take them they stay in memory, up to a number;
 * beyond it the oldest go, and a metric counts them.
 */
import type { Logger } from 'pino';
import { insertRequests } from '../db/partners/requests';
import type { Cell } from '../db/pg/postgres';
import { uuidOfRequest } from '../domain/request-ids';
import { NO_BODIES, NOT_LOGGED, type KeptBodies, type NotedRequest } from '../domain/request-log';
import type { Caller } from './authenticate';
import { keptBodies, type Bodies } from './kept-bodies';

const WRITE_EVERY_MS = 250;
const GATHERED_MAX = 10_000;
/** While more wait, the bodies of those that come are not kept: they would fill the memory. */
const WITH_BODIES_MAX = 2_000;

export interface RequestLog {
  /** Takes a request that has ended, and returns at once. */
  note(cell: Cell, request: NotedRequest): void;
  /** What is kept of the bodies of a request that has ended. */
  bodiesOf(
    caller: Pick<Caller, 'cell' | 'partner' | 'environment'>,
    bodies: Bodies,
    status: number | null,
  ): KeptBodies;
  /** How much of a sandbox's storage the row of a request takes, with what is kept of its bodies (D175). */
  storedBy(caller: Pick<Caller, 'partner' | 'environment'>, kept: KeptBodies): number;
  /** Writes what is left. */
  close(): Promise<void>;
}

/**
 * What a row takes in a sandbox, with its index entries. So many rows an hour are a partner's at each process without being
 * counted: whoever looks around a little does not fill its sandbox by that.
 */
const BYTES_PER_ROW = 384;
const UNCOUNTED_PER_HOUR = 1_000;

/**
 * Of a partner of the sandbox, where the disk is shared and nobody pays for it, each process keeps at most so much of bodies in
 * an hour, in letters: less than a gigabyte for as long as they are kept.
 */
const BODIES_PER_HOUR_MAX = 5_000_000;
const HOUR_MS = 3_600_000;

/** @param onDropped is told how many were dropped. */
export function createRequestLog(logger: Logger, onDropped: (count: number) => void): RequestLog {
  const gathered = new Map<Cell, NotedRequest[]>();
  /** The cells where a statement has failed: nobody knows whether it was carried out. */
  const unknown = new Set<Cell>();
  /** How much was kept of the bodies of each partner in this hour. */
  const keptOf = new Map<string, number>();
  const rowsOf = new Map<string, number>();
  let hour = 0;
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // One after the other: a slow statement is not overtaken by the next.
      underWay = underWay.then(write);
    }, WRITE_EVERY_MS).unref();
  }

  async function write(): Promise<void> {
    const all = [...gathered];
    gathered.clear();
    for (const [cell, requests] of all) {
      try {
        await insertRequests(cell, requests, unknown.has(cell));
        unknown.delete(cell);
      } catch (error) {
        logger.warn({ err: error }, 'The API could not write the log of requests; it tries again');
        unknown.add(cell);
        keep(cell, [...requests, ...(gathered.get(cell) ?? [])]);
        writeSoon();
      }
    }
  }

  function keep(cell: Cell, requests: NotedRequest[]): void {
    const dropped = Math.max(0, requests.length - GATHERED_MAX);
    if (dropped > 0) onDropped(dropped);
    gathered.set(cell, dropped > 0 ? requests.slice(dropped) : requests);
  }

  function forgetLastHour(): void {
    const now = Math.floor(Date.now() / HOUR_MS);
    if (now === hour) return;
    hour = now;
    keptOf.clear();
    rowsOf.clear();
  }

  return {
    note(cell, request) {
      const requests = gathered.get(cell);
      if (!requests) gathered.set(cell, [request]);
      else if (requests.push(request) > GATHERED_MAX) {
        requests.shift();
        onDropped(1);
      }
      writeSoon();
    },
    bodiesOf({ cell, partner, environment }, bodies, status) {
      if (!environment.keepsBodies || (gathered.get(cell)?.length ?? 0) >= WITH_BODIES_MAX) return NO_BODIES;
      forgetLastHour();
      const before = keptOf.get(partner.id) ?? 0;
      if (environment.allowsSimulation && before >= BODIES_PER_HOUR_MAX) return NO_BODIES;
      const kept = keptBodies(bodies, status);
      keptOf.set(partner.id, before + (kept.requestBody?.length ?? 0) + (kept.responseBody?.length ?? 0));
      return kept;
    },
    storedBy({ partner, environment }, { requestBody, responseBody }) {
      if (!environment.allowsSimulation) return 0;
      forgetLastHour();
      const rows = (rowsOf.get(partner.id) ?? 0) + 1;
      rowsOf.set(partner.id, rows);
      if (rows <= UNCOUNTED_PER_HOUR) return 0;
      return BYTES_PER_ROW + (requestBody?.length ?? 0) + (responseBody?.length ?? 0);
    },
    async close() {
      clearTimeout(timer);
      await underWay;
      await write();
      clearTimeout(timer);
    },
  };
}

/** What is found out about a request while it is served, for the metrics and the logs. */
export interface Noted {
  caller?: Caller;
  /** The operation that the request reached. */
  operation?: string;
  /** The code of a refusal. */
  code?: string;
  /** The fault that it has asked for and meets, which says nothing about the service. */
  fault?: string | null;
  /** Whether it was refused because that part was never switched on. */
  isNotConfigured?: boolean;
  /** Whether the answer repeats an earlier one. */
  replayed?: boolean;
  idempotencyKey?: string | null;
  /** What the path names, or what the request has made. */
  resourceId?: string | null;
  bodies?: Bodies;
}

/** What is known of a request at its end. */
interface Ended {
  requestId: string;
  method: string;
  status: number | null;
  durationMs: number;
  /** The fields of its body that had no effect, by their paths. */
  ignoredFields: readonly string[];
}

/**
 * Hands a request over to the log of its partner, where a credential said whose it is.
 * @returns how many bytes its row takes of the storage of a sandbox.
 */
export function noteRequest(log: RequestLog, noted: Noted, ended: Ended): number {
  const { caller, operation = 'none', bodies } = noted;
  if (!caller || NOT_LOGGED.includes(operation)) return 0;
  const kept = bodies ? log.bodiesOf(caller, bodies, ended.status) : NO_BODIES;
  log.note(caller.cell, {
    id: uuidOfRequest(ended.requestId),
    partnerId: caller.partner.id,
    method: ended.method,
    operation,
    status: ended.status,
    code: noted.code ?? null,
    durationMs: Math.round(ended.durationMs),
    keyPrefix: caller.key?.keyPrefix ?? null,
    keyId: caller.key?.id ?? null,
    idempotencyKey: noted.idempotencyKey ?? null,
    replayed: noted.replayed ?? false,
    fault: noted.fault ?? null,
    resourceId: noted.resourceId ?? null,
    ignoredFields: ended.ignoredFields,
    ...kept,
  });
  return log.storedBy(caller, kept);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** The id of what an operation has made is at the beginning of its answer. */
const ID_WITHIN = 80;

/** The first uuid in a text, or null. */
export const idIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null;

/** The id of what a request has made, as its answer begins with it; or null. */
export const idMade = ({ body }: { body: string | null }): string | null =>
  idIn(body?.slice(0, ID_WITHIN) ?? '');
