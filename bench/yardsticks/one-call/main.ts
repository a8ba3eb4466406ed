/** The least that a durable answer costs: a bare Express app and one prepared INSERT, committed by itself. */
import express from 'express';
import pg from 'pg';
import { newId } from '../../../src/db/pg/ids';
import { endWithTheBench } from '../../support/program';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1 });

const app = express();
app.disable('x-powered-by').disable('etag');
app.use(express.json());
app.post('/v1/transfers/p2p', async (request, response) => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'keep',
    text: 'INSERT INTO public.bench_calls (id, body) VALUES ($1, $2) RETURNING id',
    values: [newId(), JSON.stringify(request.body)],
  });
  response.json({ data: rows[0] });
});

void pool
  .query('CREATE TABLE IF NOT EXISTS public.bench_calls (id uuid PRIMARY KEY, body json NOT NULL)')
  .then(() => {
    app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
  });
endWithTheBench();
