/** Who is calling and how often: one look-up and one counter in Postgres per request. */
import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Knex } from 'knex';
import { CELL } from '../../support/cell';
import { Refused } from '../shared/refused';

type Middleware = (request: Request, response: Response, next: NextFunction) => Promise<void>;

export function authenticate(knex: Knex): Middleware {
  return async (request, response, next) => {
    const key = /^Bearer (.+)$/.exec(request.get('Authorization') ?? '')?.[1] ?? '';
    const partner = await knex('platform.api_keys as k')
      .join('platform.partners as p', 'p.id', 'k.partner_id')
      .where('k.key_hash', createHash('sha256').update(key).digest())
      .whereNull('k.revoked_at')
      .whereRaw('(k.expires_at IS NULL OR k.expires_at > now())')
      .whereNot('p.status', 'closed')
      .first<{ id: string } | undefined>('p.id');
    if (!partner) throw new Refused(401, 'INVALID_TOKEN');
    response.locals.partnerId = partner.id;
    next();
  };
}

/** Windows of a minute, as ours. */
export function limitRate(knex: Knex, limit: number): Middleware {
  return async (_request, response, next) => {
    const { rows } = await knex.raw<{ rows: { used: number }[] }>(
      `INSERT INTO ${CELL}.rate_windows AS w (partner_id, window_start, used)
       VALUES (?, date_trunc('minute', now()), 1)
       ON CONFLICT (partner_id) DO UPDATE SET
         used = CASE WHEN w.window_start < excluded.window_start THEN 1 ELSE w.used + 1 END,
         window_start = excluded.window_start
       RETURNING used`,
      [response.locals.partnerId as string],
    );
    const used = rows[0]?.used ?? 0;
    response.set('X-RateLimit-Limit', String(limit));
    response.set('X-RateLimit-Remaining', String(Math.max(0, limit - used)));
    if (used > limit) throw new Refused(429, 'RATE_LIMIT_EXCEEDED');
    next();
  };
}
