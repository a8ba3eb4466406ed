/** `GET /health`: open to everybody, never limited; 503 only when Postgres is down (D47). */
import { isReachable } from '../../db/pg/postgres';
import { healthSchema, writeHealth } from '../../wire/health';
import type { Answer, RouteDoc } from '../route';
import type { Environment } from '../../runtime/environment';
import type { Services } from '../services';

export const HEALTH_PATHS = ['/health', '/v1/health'];

export const HEALTH_DOC: RouteDoc = {
  section: 'Health',
  sdk: null,
  summary: 'Whether the service is up',
  answer: { status: 200, description: 'The service is up', body: healthSchema },
  refusals: ['VALIDATION_ERROR'],
};

const ASK_EVERY_MS = 1_000;

/** Asks Postgres at most once a second, however many requests come. */
export function createHealth({ environments }: Services): () => Promise<Answer> {
  const [{ pool }] = Object.values(environments) as [Environment];
  let asked: { at: number; well: Promise<boolean> } | null = null;
  return async () => {
    const now = Date.now();
    if (!asked || now - asked.at > ASK_EVERY_MS) asked = { at: now, well: isReachable(pool) };
    const well = await asked.well;
    return { status: well ? 200 : 503, body: JSON.stringify(writeHealth(well, new Date())) };
  };
}
