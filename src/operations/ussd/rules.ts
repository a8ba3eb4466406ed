/** What decides USSD moves in an environment, for the worker that moves sessions and the API that reads them. */
import type { Config } from '../../runtime/config';
import type { UssdRules } from '../../db/payments/ussd-moves';
import type { Environment } from '../../runtime/environment';
import { pepperKidOf } from '../../secrets/pins';
import { ussdEnded } from '../../wire/webhooks';

export const ussdRules = (environment: Environment, config: Config): UssdRules => ({
  hasSandboxPin: environment.allowsSimulation,
  pepperKid: pepperKidOf(config.PIN_PEPPER),
  announce: ussdEnded,
});
