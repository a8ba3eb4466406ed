/** Security events and the confirmation of an address, as partners see them. */
import { z } from 'zod';
import {
  SECURITY_EVENT_KINDS,
  type SecurityEventKind,
  type SecurityEventRecord,
} from '../domain/security-events';
import { map, type Outcome } from '../domain/outcome';
import { timestamp, uuid } from './answers';
import { optional, PERSONAL } from './fields';
import { code, oneUseToken, password } from './proofs';
import { publishedBody, readBody } from './read';

const KINDS = Object.keys(SECURITY_EVENT_KINDS) as [SecurityEventKind, ...SecurityEventKind[]];

export const securityEventInfo = z
  .object({
    id: uuid,
    kind: z.enum(KINDS).meta({
      description: KINDS.map((kind) => `- \`${kind}\`: ${SECURITY_EVENT_KINDS[kind].sentence}`).join('\n'),
    }),
    description: z.string().meta({ description: 'What has happened, in one sentence' }),
    user_id: uuid
      .nullable()
      .meta({ description: 'The user who acted or is meant; null where nobody is known' }),
    address: z
      .string()
      .nullable()
      .meta({
        ...PERSONAL,
        description: 'The network address of the caller; null where nobody called',
        examples: ['192.0.2.10'],
      }),
    detail: z
      .record(z.string(), z.string())
      .meta({ ...PERSONAL, description: 'What helps to recognise the event' }),
    created_at: timestamp,
  })
  .meta({ id: 'SecurityEvent' });

export const writeSecurityEvent = (event: SecurityEventRecord): z.infer<typeof securityEventInfo> => ({
  id: event.id,
  kind: event.kind,
  description: SECURITY_EVENT_KINDS[event.kind].sentence,
  user_id: event.userId,
  address: event.address,
  detail: event.detail,
  created_at: event.createdAt.toISOString(),
});

/** Whatever the token looks like: one that cannot exist is answered like one that is not in force. */
const confirmationSchema = z.object({
  token: oneUseToken,
  password: optional(
    password.meta({ description: 'Of the user; with it what was made before the confirmation stays' }),
  ),
  code: optional(code),
});
export const confirmationBody = publishedBody('EmailConfirmation', confirmationSchema);

/** @returns the token, and the proof where a password came with it. */
export const readConfirmation = (
  body: unknown,
): Outcome<{ token: string; proof: { password: string; code: string | null } | null }> =>
  map(readBody(confirmationSchema, body), ({ token, password: given, code: oneTime }) => ({
    token,
    proof: given == null ? null : { password: given, code: oneTime ?? null },
  }));

export const confirmedEmail = z
  .object({
    email: z.string().meta({ ...PERSONAL, examples: ['owner@acme.example'] }),
    confirmed_at: timestamp,
  })
  .meta({ id: 'ConfirmedEmail' });
