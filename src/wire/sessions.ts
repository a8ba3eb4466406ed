/** Sessions as their users see them. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../domain/partners';
import type { SessionRecord } from '../domain/sessions';
import { timestamp, uuid } from './answers';
import { PERSONAL } from './fields';

export const sessionInfo = z
  .object({
    id: uuid,
    environment: z.enum(ENVIRONMENTS),
    address: z
      .string()
      .nullable()
      .meta({
        ...PERSONAL,
        description: 'The network address from which it was begun',
        examples: ['203.0.113.7'],
      }),
    current: z.boolean().meta({ description: 'Whether it is the session of the token of this request' }),
    proved_at: timestamp.meta({ description: 'When the user last gave the password' }),
    expires_at: timestamp,
    created_at: timestamp,
  })
  .meta({ id: 'Session' });

/** @param currentId the session of the request. */
export const writeSession = (session: SessionRecord, currentId: string): z.infer<typeof sessionInfo> => ({
  id: session.id,
  environment: session.environment,
  address: session.address,
  current: session.id === currentId,
  proved_at: session.provedAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  created_at: session.createdAt.toISOString(),
});
