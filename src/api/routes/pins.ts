/** The wallet PIN, set by the partner's backend (D74, D75, D157, D163). */
import { countGuessAlone, setPin } from '../../db/wallets/pins';
import { findWallet } from '../../db/wallets/wallets';
import { done, refuse, type Refused } from '../../domain/outcome';
import { isEasyToGuess } from '../../domain/pins';
import { dataOf } from '../../wire/answers';
import { canonicalId } from '../../wire/fields';
import { pinBody, pinSet, readPinChange, writePinSet } from '../../wire/pins';
import { dataAnswer, type Call, type Route } from '../route';
import { isRight } from '../../operations/ussd/pin-attempt';

/** With the current PIN it is checked like any guess; without it the partner resets the PIN, and that is kept. */
const set: Route = {
  method: 'PUT',
  path: '/v1/wallets/:id/pin',
  operation: 'setWalletPin',
  doc: {
    section: 'Wallets',
    summary: 'Set or reset the wallet PIN',
    description: 'Sandbox wallets begin with 1234. A PIN locked by nine wrong tries is unlocked by a reset.',
    body: pinBody,
    answer: { status: 200, description: 'The PIN is set', body: dataOf(pinSet) },
    refusals: ['NOT_FOUND', 'WALLET_CLOSED', 'PIN_LOCKED'],
  },
  async handle(call) {
    const read = readPinChange(call.body);
    if (!read.ok) return read;
    const { pin, currentPin } = read.value;
    if (!call.environment.allowsSimulation && isEasyToGuess(pin)) return invalid('pin: is too easy to guess');
    const partnerId = call.partner.id;
    const walletId = canonicalId(call.params.id ?? '');
    const wallet = walletId && (await findWallet(call.cell, partnerId, walletId));
    if (!wallet) return refuse('NOT_FOUND');
    if (wallet.status === 'closed') return refuse('WALLET_CLOSED');
    const refused = currentPin === null ? null : await judge(call, wallet.id, currentPin);
    if (refused) return refused;
    const { pins } = call.services;
    await setPin(call.cell, {
      partnerId,
      walletId: wallet.id,
      stored: await pins.hash(wallet.id, pin),
      knewCurrentPin: currentPin !== null,
      requestId: call.requestId,
    });
    return done(dataAnswer(call, 200, writePinSet(wallet.id)));
  },
};

/** A current PIN is a guess as good as one on a phone, so it is counted before it is looked at (D157). */
function judge(call: Call, walletId: string, currentPin: string): Promise<Refused | null> {
  return call.services.pins.inTurn(async (check) => {
    const wallet = { partnerId: call.partner.id, walletId };
    const guess = await countGuessAlone(call.cell, wallet);
    if (!guess) return refuse('PIN_LOCKED');
    const hasSandboxPin = call.environment.allowsSimulation;
    const right = await isRight(check, hasSandboxPin, walletId, currentPin, guess.stored);
    return right ? null : invalid('current_pin: is wrong');
  });
}

const invalid = (message: string): Refused => refuse('VALIDATION_ERROR', { message });

export const pinRoutes: readonly Route[] = [set];
