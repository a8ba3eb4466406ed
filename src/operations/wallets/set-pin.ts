/** The wallet PIN, set by the partner's backend (interface: Payments; D74, D75, D157, D163). */
import { done, refuse, refuseFields, type Outcome, type Refused } from '../../domain/outcome';
import { countGuessAlone, setPin as writePin } from '../../db/wallets/pins';
import { findWallet } from '../../db/wallets/wallets';
import { isBirthdayIn } from '../../domain/pins';
import { TOO_EASY } from '../../wire/pins';
import type { Pins } from '../../secrets/pins';
import type { Tenant } from '../tenant';
import { checkPin } from '../ussd/pin-attempt';

/**
 * Sets the PIN, which unlocks it. If the current PIN is given, it is checked like any guess. Without it the
 * partner resets the PIN, and a row keeps that.
 * @returns done, or refused: NOT_FOUND, WALLET_CLOSED, PIN_LOCKED, VALIDATION_ERROR for a wrong current PIN
 *   and for the birthday of the owner.
 */
export async function setPin(
  { pins }: { pins: Pins },
  tenant: Tenant,
  change: {
    walletId: string;
    pin: string;
    currentPin: string | null;
    /** Whether the birthday of the owner will do. */
    mayBeEasy: boolean;
    requestId: string;
  },
): Promise<Outcome<null>> {
  const { cell, partner } = tenant;
  const { walletId, pin, currentPin, mayBeEasy, requestId } = change;
  const wallet = await findWallet(cell, partner.id, walletId);
  if (!wallet) return refuse('NOT_FOUND');
  if (wallet.status === 'closed') return refuse('WALLET_CLOSED');
  if (!mayBeEasy && isBirthdayIn(wallet.metadata, pin))
    return refuseFields({ field: 'pin', message: TOO_EASY });
  const refused = currentPin === null ? null : await judge(pins, tenant, walletId, currentPin);
  if (refused) return refused;
  await writePin(cell, {
    partnerId: partner.id,
    walletId,
    stored: await pins.hash(partner.id, walletId, pin),
    knewCurrentPin: currentPin !== null,
    requestId,
  });
  return done(null);
}

/** A current PIN is a guess like one on a phone, so it is counted before it is checked (D157). */
function judge(
  pins: Pins,
  { environment, cell, partner }: Tenant,
  walletId: string,
  currentPin: string,
): Promise<Refused | null> {
  return pins.inTurn(partner.id, async (check) => {
    const guess = await countGuessAlone(cell, { partnerId: partner.id, walletId });
    if (!guess) return refuse('PIN_LOCKED');
    const { right } = await checkPin(check, environment.allowsSimulation, walletId, currentPin, guess.stored);
    return right ? null : refuseFields({ field: 'current_pin', message: 'is wrong' });
  });
}
