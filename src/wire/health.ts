/** Health as the interface shows it: bare, without an envelope (interface: Health; D5, D47). */
import { z } from 'zod';
import { timestamp } from './answers';

export const healthSchema = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({ description: 'degraded: Postgres is down' }),
    timestamp,
  })
  .meta({ id: 'Health' });

export const writeHealth = (well: boolean, now: Date): z.infer<typeof healthSchema> => ({
  status: well ? 'ok' : 'degraded',
  timestamp: now.toISOString(),
});
