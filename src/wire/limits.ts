/** The regulator's limits as the sandbox shows them, and the switch (D123). */
import { z } from 'zod';
import {
  LIMIT_NAMES,
  LIMIT_TIERS,
  LIMITS,
  SANDBOX_TIERS,
  type LimitName,
  type LimitTier,
} from '../domain/limits';
import type { Kobo } from '../domain/money';
import type { Outcome } from '../domain/outcome';
import { kobo } from './answers';
import { PERSONAL } from './fields';
import { publishedBody, readBody } from './read';

const switchSchema = z
  .object({
    enforced: z
      .boolean()
      .meta({ description: 'Whether payments of the sandbox meet the limits', examples: [true] }),
  })
  .transform((body) => body.enforced);

export const limitsBody = publishedBody('SandboxLimitsSwitch', switchSchema);

export const readLimitsSwitch = (body: unknown): Outcome<boolean> => readBody(switchSchema, body);

const TIER_NAMES = Object.keys(LIMIT_TIERS) as LimitTier[];

const tierSchema = z
  .object({
    tier: z.enum(TIER_NAMES),
    who: z.string(),
    user_ref: z
      .string()
      .nullable()
      .meta({
        ...PERSONAL,
        description:
          'Wallets whose user_ref begins so are in this tier without a check; null where there is none',
      }),
    limits: z.array(
      z.object({
        limit: z.enum(LIMIT_NAMES),
        what: z.string(),
        allowed_kobo: kobo.nullable().meta({ description: 'null where the tier has no such limit' }),
      }),
    ),
  })
  .meta({ id: 'LimitTier' });

export const limitsResult = z
  .object({ enforced: z.boolean(), tiers: z.array(tierSchema) })
  .meta({ id: 'SandboxLimits' });

export const writeLimits = (areEnforced: boolean): z.infer<typeof limitsResult> => ({
  enforced: areEnforced,
  tiers: TIER_NAMES.map((tier) => {
    const { who, allowedKobo }: { who: string; allowedKobo: Record<LimitName, Kobo | null> } =
      LIMIT_TIERS[tier];
    const reserved = Object.entries(SANDBOX_TIERS).find(([, of]) => of === tier);
    return {
      tier,
      who,
      user_ref: reserved?.[0] ?? null,
      limits: LIMIT_NAMES.map((limit) => ({
        limit,
        what: LIMITS[limit].what,
        allowed_kobo: allowedKobo[limit],
      })),
    };
  }),
});
