/**
 * One PIN that was entered on a phone: it is counted, then checked, then its outcome is written. The digits are
 * passed on to nothing else (D75, G24).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../db/pg/ids';
import { UnavailableError } from '../../runtime/unavailable';
import { countAttempt, decideAttempt, findAttempt } from '../../db/payments/ussd-attempts';
import { renewPin } from '../../db/wallets/pins';
import { outcomeOf, SANDBOX_PIN, type PinOutcome, type StoredPin } from '../../domain/pins';
import type { UssdSession } from '../../domain/ussd';
import type { OpenCell } from '../../runtime/environment';
import type { CheckedPin, PinCheck, Pins } from '../../secrets/pins';

export interface EnteredPin {
  pin: string;
  gatewaySession: string;
  /** The number of the input in its dialogue. A repeat by the gateway has the same number. */
  hop: number;
}

export interface Attempt {
  id: string;
  number: number;
  outcome: PinOutcome;
}

/** How long a repeat waits for the outcome of the first sending. */
const LOOK_EVERY_MS = 50;
const LOOKS_MAX = 40;

/**
 * @param begin is called when the attempt is counted next: from then on the PIN may pay. It throws where the payer was told
 *   already that nothing happens.
 * @returns the attempt with its outcome, the earlier one where the gateway sent this input before or the PIN of the session
 *   was accepted before; null where the session takes no PIN any more.
 * @throws UnavailableError when the outcome of the attempt is not known (yet).
 */
export async function attemptPin(
  { pins, hasSandboxPin }: { pins: Pins; hasSandboxPin: boolean },
  cell: OpenCell,
  session: UssdSession,
  entered: EnteredPin,
  begin: () => void,
): Promise<Attempt | null> {
  const attempt = await pins.inTurn(
    session.partnerId,
    async (check): Promise<Pick<Attempt, 'id'> | Attempt | null> => {
      const id = newId();
      const { gatewaySession, hop } = entered;
      begin();
      const counted = await countAttempt(cell, session, { id, gatewaySession, hop });
      if (counted.kind === 'closed') return null;
      if (counted.kind === 'repeated') return { id: counted.attemptId };
      const { number } = counted;
      if (counted.kind === 'locked') return { id, number, outcome: 'pin_locked' };
      const { payerWalletId: walletId } = session;
      const { stored } = counted;
      const { right, renewed } = await checkPin(check, hasSandboxPin, walletId, entered.pin, stored);
      const outcome = outcomeOf({ right, ...counted });
      const isFirst = await decideAttempt(cell, session, id, outcome);
      if (stored && renewed) await renewPin(cell, walletId, stored, renewed);
      return isFirst ? { id, number, outcome } : { id };
    },
  );
  if (attempt === null || 'outcome' in attempt) return attempt;
  for (let looks = 1; looks <= LOOKS_MAX; looks++) {
    const decided = await findAttempt(cell, attempt.id);
    if (decided) return { ...attempt, ...decided };
    await sleep(LOOK_EVERY_MS);
  }
  throw new UnavailableError('the PIN is being verified elsewhere');
}

/** @param hasSandboxPin a wallet without a PIN of its own has the sandbox's (D74). */
export async function checkPin(
  check: PinCheck,
  hasSandboxPin: boolean,
  walletId: string,
  pin: string,
  stored: StoredPin | null,
): Promise<CheckedPin> {
  if (stored) return check(walletId, pin, stored);
  return { right: hasSandboxPin && pin === SANDBOX_PIN, renewed: null };
}
