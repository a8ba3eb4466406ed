/** What decides USSD moves in an environment, for the worker that moves sessions and the API that reads them. */
import type { Config } from './config';
import type { UssdRules } from './db/ussd-moves';
import type { Environment } from './environment';
import { pepperKidOf } from './pins';
import { ussdEnded } from './wire/webhooks';

export const ussdRules = (environment: Environment, config: Config): UssdRules => ({
  hasSandboxPin: environment.allowsSimulation,
  pepperKid: pepperKidOf(config.PIN_PEPPER),
  announce: ussdEnded,
});
