/** The bodies of freeze, unfreeze and close: a reason, and for a freeze when it ends (D26). */
import type { Outcome } from '../domain/outcome';
import { z } from 'zod';
import { freeText, optional, PERSONAL } from './fields';
import { publishedBody, readBody } from './read';

interface Said {
  reason: string | null;
  frozenUntil: Date | null;
}

const reason = optional(freeText(500).meta(PERSONAL));

const freezeSchema = z
  .object({
    reason,
    expires_at: optional(
      z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its offset' }).meta({
        description: 'When the freeze ends by itself; in the future',
        examples: ['2030-01-15T09:30:00Z'],
      }),
    ),
  })
  .transform((body) => ({
    reason: body.reason ?? null,
    frozenUntil: body.expires_at === undefined ? null : new Date(body.expires_at),
  }));

const reasonSchema = z
  .object({ reason })
  .transform((body) => ({ reason: body.reason ?? null, frozenUntil: null }));

export const freezeBody = publishedBody('WalletFreeze', freezeSchema);
export const reasonBody = publishedBody('WalletAction', reasonSchema);

export const readFreeze = (body: unknown): Outcome<Said> => readBody(freezeSchema, body);
export const readReason = (body: unknown): Outcome<Said> => readBody(reasonSchema, body);
