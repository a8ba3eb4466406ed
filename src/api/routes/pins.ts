/** The wallet PIN, set by the partner's backend (D74, D75, D157, D163). */
import { countGuessAlone, setPin } from '../../db/wallets/pins';
import { findWallet } from '../../db/wallets/wallets';
import { done, refuse, refuseFields, type Refused } from '../../domain/outcome';
import { dataOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
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
    const read = readPinChange(call.body, call.environment.allowsSimulation);
    if (!read.ok) return read;
    const { pin, currentPin } = read.value;
    const partnerId = call.partner.id;
    const walletId = canonicalId(call.params.id ?? '', 'wallet');
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
    return right ? null : refuseFields({ field: 'current_pin', message: 'is wrong' });
  });
}

export const pinRoutes: readonly Route[] = [set];
