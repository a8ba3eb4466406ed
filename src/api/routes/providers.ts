/**
 * The callbacks of providers (D115, D155, R23). A callback is kept and answered at once, and the provider is asked
 * before anything is done.
 */
import { keepCallback } from '../../operations/provider-callback';
import { z } from 'zod';
import { done, refuse, type Refused } from '../../domain/outcome';
import { CALLBACK_DIALECTS, simulatorCallbackSchema } from '../../wire/provider-callbacks';
import { parseJson } from '../body';
import { flatAnswer, type OpenCall, type OpenRoute } from '../route';
import { networkOf } from '../stranger-limit';

/**
 * The signature shows the environment, because each environment has another secret. A genuine callback that
 * contradicts our books is kept and answered 200, like every other. A repeat would change nothing, and the
 * reconciliation shows it to people.
 */
const callback: OpenRoute = {
  method: 'POST',
  path: '/v1/providers/:name/callback',
  operation: 'providerCallback',
  reads: 'raw',
  doc: {
    section: 'Transfers',
    sdk: null,
    summary: 'Report the outcome of a transfer',
    description:
      'For payment providers, not for partners. The raw body is signed with the secret of the environment, for `simulator` in `X-Simulator-Signature: sha256=<hex HMAC-SHA256>`. A callback moves no money: the provider is asked before anything happens.',
    body: simulatorCallbackSchema,
    answer: { status: 200, description: 'Kept, once per event', body: z.object({ status: z.literal('ok') }) },
    refusals: ['INVALID_TOKEN', 'RATE_LIMIT_EXCEEDED', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'],
  },
  async handle(call) {
    const provider = call.params.name ?? '';
    const dialect = CALLBACK_DIALECTS.get(provider);
    const environments = Object.values(call.services.environments).filter(({ providers }) =>
      providers.payouts.some(({ name }) => name === provider),
    );
    if (!dialect || environments.length === 0) return refuse('NOT_FOUND');
    const bytes = call.body as Buffer;
    const environment = environments.find(({ name }) =>
      call.services.callbackSecrets[name].some((secret) => dialect.isGenuine(call.headers, bytes, secret)),
    );
    if (!environment) return notGenuine(call);

    const json = parseJson(bytes);
    if (!json.ok) return json;
    const read = dialect.read(json.value);
    if (!read.ok) return read;
    await keepCallback(environment, provider, read.value, bytes.toString());
    return done(flatAnswer(200, { status: 'ok' }));
  },
};

/** Counted like every failed authentication of its address (D150, D155). */
async function notGenuine({ services, remoteAddress }: OpenCall): Promise<Refused> {
  const wait = await services.strangers.ofAddress(networkOf(remoteAddress));
  return wait ? refuse('RATE_LIMIT_EXCEEDED', wait) : refuse('INVALID_TOKEN');
}

export const providerRoutes: readonly OpenRoute[] = [callback];
