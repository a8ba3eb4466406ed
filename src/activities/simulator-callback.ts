/** The step of `simulator-callback/{transaction id}`: calls back as the simulated bank, over HTTP as a company does (D206). */
import { present } from '../domain/assert';
import { openCompany } from '../providers/http';
import { simulatorSignature, writeSimulatorCallback } from '../wire/provider-callbacks';
import type { BankTransferInput } from '../contract/messages';
import { assertSimulation, type Dependencies } from './dependencies';
import { stillThere } from './resets';

const ANSWERS_WITHIN_MS = 10_000;

export function simulatorCallbackActivities({ environment, config, logger }: Dependencies) {
  return {
    /**
     * Sends what the simulated bank has to say now about a transfer. A second run sends the same bytes with the same id, which
     * counts once.
     * @returns after how many milliseconds it is to be asked again; null where nothing is left to say.
     * @throws while the API does not take the callback.
     */
    async callBackAsSimulator(input: BankTransferInput): Promise<number | null> {
      assertSimulation(environment);
      const { transactionId, partnerId } = input;
      const { cell } = await environment.partner(partnerId);
      const simulator = present(environment.simulator, 'the simulator of the sandbox');
      const told = await stillThere(await simulator.callback(transactionId), 'the transfer', cell, input);
      if (told.kind !== 'due') return told.kind === 'wait' ? told.ms : null;
      const body = writeSimulatorCallback(told.notice);
      const secret = config.PROVIDER_CALLBACK_SECRET_SANDBOX;
      const headers = { 'x-simulator-signature': simulatorSignature(JSON.stringify(body), secret) };
      const call = openCompany({ company: 'The API', url: config.PUBLIC_URL, headers });
      for (let sent = 0; sent < told.times; sent++) {
        const reply = await call({
          method: 'POST',
          path: '/v1/providers/simulator/callback',
          body,
          withinMs: ANSWERS_WITHIN_MS,
        });
        if (reply.kind === 'answered' && reply.status === 200) continue;
        const answer = reply.kind === 'answered' ? reply.status : reply.cause;
        logger.warn(
          { transactionId, partnerId, answer },
          'A callback of the simulated bank was not taken at the PUBLIC_URL; it is sent again later',
        );
        throw new Error(`a callback of the simulated bank was not taken: ${String(answer)}`);
      }
      return null;
    },
  };
}
