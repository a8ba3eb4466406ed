/** The request to set a wallet's PIN and its answer (D74). */
import { z } from 'zod';
import { done, type Outcome } from '../domain/outcome';
import { isEasyToGuess, isPin } from '../domain/pins';
import { uuid } from './answers';
import { optional, SECRET } from './fields';
import { publishedBody, readBody } from './read';

/** A string, because 0123 is another PIN than 123. */
const pin = z
  .string()
  .refine(isPin, 'must be a string of 4 digits')
  .meta({ ...SECRET, pattern: '^[0-9]{4}$', examples: ['4821'] });

const pinSchema = z.object({ pin, current_pin: optional(pin) });

export const pinBody = publishedBody('WalletPin', pinSchema);

/** Said of a PIN that a thief tries first. */
export const TOO_EASY = 'is too easy to guess';

/** The same where a PIN that is easy to guess is refused. */
const carefulSchema = pinSchema.extend({
  pin: pin.refine((digits) => !isEasyToGuess(digits), TOO_EASY),
});

/** @param mayBeEasy true in the sandbox, where every PIN is accepted unless the partner wants it to demand what live demands. */
export function readPinChange(
  body: unknown,
  mayBeEasy: boolean,
): Outcome<{ pin: string; currentPin: string | null }> {
  const read = readBody(mayBeEasy ? pinSchema : carefulSchema, body);
  if (!read.ok) return read;
  return done({ pin: read.value.pin, currentPin: read.value.current_pin ?? null });
}

export const pinSet = z.object({ wallet_id: uuid, pin_set: z.literal(true) });

export const writePinSet = (walletId: string): z.infer<typeof pinSet> => ({
  wallet_id: walletId,
  pin_set: true,
});
