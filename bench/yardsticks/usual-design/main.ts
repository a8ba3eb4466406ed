/**
 * The usual design, as a good team writes it: Express with its JSON parser, zod, knex over a pool, a key looked
 * up and a rate limit counted for every request, and a transfer as one Postgres transaction of a statement per
 * step. Same tables, constraints and triggers as ours, same answers and events, so that what is compared is
 * how the work is done and not how much of it.
 */
import express, { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import knexFactory from 'knex';
import { endWithTheBench } from '../../support/program';
import { authenticate, limitRate } from './admission';
import { Refused } from '../shared/refused';
import { transferP2p } from './transfer';

/** Measured on two cores: 5, 10 and 20 connections give the same rate, 40 and 64 a lower one. */
const CONNECTIONS = 10;

const knex = knexFactory({
  client: 'pg',
  connection: process.env.DATABASE_URL ?? '',
  pool: { min: CONNECTIONS, max: CONNECTIONS },
});

const app = express();
app.disable('x-powered-by').disable('etag');
app.use(helmet());
app.use(authenticate(knex));
app.use(limitRate(knex, Number(process.env.RATE_LIMIT_SCALE)));
app.use(express.json({ limit: '256kb' }));
app.post('/v1/transfers/p2p', transferP2p(knex));
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  if (!(error instanceof Refused)) console.error(error);
  const { status, code } = error instanceof Refused ? error : { status: 500, code: 'INTERNAL_ERROR' };
  response.status(status).json({ error: { code } });
});

app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
endWithTheBench();
