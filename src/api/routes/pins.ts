/** The wallet PIN, set by the partner's backend (D74, D75, D157, D163). */
import { map, refuse } from '../../domain/outcome';
import { isLikeLive } from '../../operations/demands';
import { setPin } from '../../operations/wallets/set-pin';
import { dataOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { pinBody, pinSet, readPinChange, writePinSet } from '../../wire/pins';
import { dataAnswer, type Route } from '../route';

/** A current PIN is checked like any guess. Without one the partner resets the PIN, and the reset is recorded. */
const set: Route = {
  method: 'PUT',
  path: '/v1/wallets/:id/pin',
  operation: 'setWalletPin',
  needs: 'run',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.setPin',
    summary: 'Set or reset the wallet PIN',
    description:
      'Sandbox wallets begin with 1234. A PIN locked by nine wrong tries is unlocked by a reset. Live refuses what is easy to guess: four ' +
      'equal digits, a pair twice, digits in a row, a year of birth, and the birthday in the metadata of the wallet. So does a sandbox ' +
      'that demands what live demands (`PUT /v1/sandbox/requirements`).',
    body: pinBody,
    answer: { status: 200, description: 'The PIN is set', body: dataOf(pinSet) },
    refusals: ['NOT_FOUND', 'WALLET_CLOSED', 'PIN_LOCKED'],
  },
  async handle(call) {
    const mayBeEasy = !(await isLikeLive(call));
    const read = readPinChange(call.body, mayBeEasy);
    if (!read.ok) return read;
    const walletId = canonicalId(call.params.id ?? '', 'wallet');
    if (walletId === null) return refuse('NOT_FOUND');
    const { requestId } = call;
    const changed = await setPin(call.services, call, { walletId, ...read.value, mayBeEasy, requestId });
    return map(changed, () => dataAnswer(call, 200, writePinSet(walletId)));
  },
};

export const pinRoutes: readonly Route[] = [set];
