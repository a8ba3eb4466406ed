/** What live demands of the owners of wallets, as the sandbox shows it, and the switch. */
import { z } from 'zod';
import { DETAIL_FIELDS, fieldOf, leastOf, missingAtTheDoor, type Demands } from '../domain/owner-details';
import type { Outcome } from '../domain/outcome';
import { publishedBody, readBody } from './read';

const switchSchema = z
  .object({
    as_live: z
      .boolean()
      .meta({ description: 'Whether your sandbox demands what live demands', examples: [true] }),
  })
  .transform((body) => body.as_live);

export const requirementsBody = publishedBody('SandboxRequirementsSwitch', switchSchema);

export const readRequirementsSwitch = (body: unknown): Outcome<boolean> => readBody(switchSchema, body);

const fields = (description: string) =>
  z
    .array(z.enum(DETAIL_FIELDS))
    .meta({ description, examples: [['metadata.first_name', 'metadata.last_name']] });

export const requirementsResult = z
  .object({
    as_live: z.boolean(),
    wallet: fields('What a wallet must have'),
    kyc: fields('What the wallet of a user_ref must have before its BVN or NIN is checked'),
  })
  .meta({ id: 'SandboxRequirements' });

export const writeRequirements = (
  isAsLive: boolean,
  demands: Demands,
): z.infer<typeof requirementsResult> => ({
  as_live: isAsLive,
  wallet: missingAtTheDoor(demands, {}, false).map(fieldOf),
  kyc: leastOf(demands.identity).map(fieldOf),
});
