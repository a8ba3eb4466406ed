/**
 * The application around a transfer that is written with plain pg: Express with its JSON parser, and for each
 * request a key looked up and a rate limit counted, all by named statements. It differs from the usual design in how
 * it talks to Postgres, and in nothing else.
 */
import { createHash } from 'node:crypto';
import express, { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import pg from 'pg';
import { CELL } from '../../support/cell';
import { endWithTheBench } from '../../support/program';
import { readTransfer, type AskedTransfer } from './asked';
import { Refused } from './refused';

/** As many as the usual design has. */
const CONNECTIONS = 10;

/**
 * Serves transfers on the port that the bench has chosen.
 * @param transfer makes one transfer in one Postgres transaction. @returns the body of its answer.
 * @param setUp runs once, before the first transfer.
 */
export async function serveTransfers(
  transfer: (pool: pg.Pool, asked: AskedTransfer) => Promise<string>,
  setUp: (pool: pg.Pool) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS });
  await setUp(pool);
  const limit = Number(process.env.RATE_LIMIT_SCALE);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(helmet());
  app.use(async (request, response, next) => {
    const key = /^Bearer (.+)$/.exec(request.get('Authorization') ?? '')?.[1] ?? '';
    response.locals.partnerId = await partnerOf(pool, key);
    const used = await countRequest(pool, response.locals.partnerId as string);
    response.set('X-RateLimit-Limit', String(limit));
    response.set('X-RateLimit-Remaining', String(Math.max(0, limit - used)));
    if (used > limit) throw new Refused(429, 'RATE_LIMIT_EXCEEDED');
    next();
  });
  app.use(express.json({ limit: '256kb' }));
  app.post('/v1/transfers/p2p', async (request, response) => {
    const asked = readTransfer(request, response.locals.partnerId as string);
    response.type('json').send(await transfer(pool, asked));
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (!(error instanceof Refused)) console.error(error);
    const { status, code } = error instanceof Refused ? error : { status: 500, code: 'INTERNAL_ERROR' };
    response.status(status).json({ error: { code } });
  });
  app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
  endWithTheBench();
}

async function partnerOf(pool: pg.Pool, key: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'partner',
    text: `SELECT p.id FROM platform.api_keys k JOIN platform.partners p ON p.id = k.partner_id
            WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
              AND p.status <> 'closed'`,
    values: [createHash('sha256').update(key).digest()],
  });
  const [partner] = rows;
  if (!partner) throw new Refused(401, 'INVALID_TOKEN');
  return partner.id;
}

/** Windows of a minute, as ours. @returns how many requests this one has. */
async function countRequest(pool: pg.Pool, partnerId: string): Promise<number> {
  const { rows } = await pool.query<{ used: number }>({
    name: 'rate',
    text: `INSERT INTO ${CELL}.rate_windows AS w (partner_id, window_start, used)
           VALUES ($1, date_trunc('minute', now()), 1)
           ON CONFLICT (partner_id) DO UPDATE SET
             used = CASE WHEN w.window_start < excluded.window_start THEN 1 ELSE w.used + 1 END,
             window_start = excluded.window_start
           RETURNING used`,
    values: [partnerId],
  });
  return rows[0]?.used ?? 0;
}
