/** The decision about a transfer whose account has another name at its bank. */
import { z } from 'zod';
import type { Outcome } from '../domain/outcome';
import { NAME_DECISIONS } from '../domain/payout-instructions';
import { publishedBody, readBody } from './read';

const decisionSchema = z.object({
  decision: z.enum(NAME_DECISIONS, `must be of: ${NAME_DECISIONS.join(', ')}`).meta({
    description: '`continue` pays the account all the same; `fail` gives the money back',
  }),
});

export const nameDecisionBody = publishedBody('NameDecision', decisionSchema);
export const readNameDecision = (body: unknown): Outcome<z.infer<typeof decisionSchema>> =>
  readBody(decisionSchema, body);
