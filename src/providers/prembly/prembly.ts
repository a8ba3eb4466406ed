/**
 * Prembly, which tells the name that a register has for a BVN or NIN, and whether a BVN is on the watch list. `answers.ts`
 * has what its answers mean. It knows no id of ours, so a number that is asked for again is another look-up.
 */
import type { VerificationType } from '../../domain/verifications';
import { openCompany } from '../http';
import type { Provider } from '../port';
import { readLookUp } from './answers';

const LOOK_UPS: Record<VerificationType, { path: string; body: (number: string) => object }> = {
  bvn: { path: '/verification/bvn', body: (number) => ({ number }) },
  nin: { path: '/verification/vnin', body: (number) => ({ number_nin: number }) },
};

/** A record comes with the person's picture. */
const ANSWER_MAX_BYTES = 4_194_304;

/**
 * Opens Prembly.
 * @param options.appId of our app there, which accounts of older date need.
 * @param options.answersWithinMs how long one call of the port may take.
 */
export function createPrembly(options: {
  url: string;
  apiKey: string;
  appId: string | undefined;
  answersWithinMs: number;
}): Provider {
  const { url, apiKey, appId, answersWithinMs } = options;
  const call = openCompany({
    company: 'Prembly',
    url,
    headers: { 'x-api-key': apiKey, ...(appId !== undefined && { 'app-id': appId }) },
    answerMaxBytes: ANSWER_MAX_BYTES,
  });
  return {
    name: 'prembly',
    can: { failsForGood: false, asksFirst: false },
    identity: {
      async lookUp(order) {
        const { path, body } = LOOK_UPS[order.type];
        const asked = { method: 'POST', path, body: body(order.number), withinMs: answersWithinMs } as const;
        return readLookUp(await call(asked), order);
      },
    },
  };
}
