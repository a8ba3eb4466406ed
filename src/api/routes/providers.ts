/**
 * The callbacks of providers (D115, D155, R23). A callback is kept and answered at once, and the provider is asked
 * before anything is done.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { approvePayout } from '../../operations/approve-payout';
import { keepSaid } from '../../operations/provider-callback';
import { z } from 'zod';
import { done, refuse, type Refused } from '../../domain/outcome';
import { APPROVAL_DIALECTS, CALLBACK_DIALECTS, simulatorCallbackSchema } from '../../wire/provider-callbacks';
import { parseJson } from '../body';
import { flatAnswer, type OpenCall, type OpenRoute } from '../route';
import { networkOf } from '../stranger-limit';
import { companiesWithOrders } from '../../runtime/environment';

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
    summary: 'Report the outcome of a transfer, or a payment that came in',
    description:
      'For payment providers, not for partners. The raw body is signed with the secret of the environment, for `simulator` in `X-Simulator-Signature: sha256=<hex HMAC-SHA256>`; `paystack` sends the events and the signature of its own documents. A callback moves no money: the provider is asked before anything happens.',
    body: simulatorCallbackSchema,
    answer: { status: 200, description: 'Kept, once per event', body: z.object({ status: z.literal('ok') }) },
    refusals: ['INVALID_TOKEN', 'RATE_LIMIT_EXCEEDED', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'],
  },
  async handle(call) {
    const provider = call.params.name ?? '';
    const dialect = CALLBACK_DIALECTS.get(provider);
    const environments = Object.values(call.services.environments).filter(({ providers }) =>
      [...companiesWithOrders(providers), ...providers.inbound].some(({ name }) => name === provider),
    );
    if (!dialect || environments.length === 0) return refuse('NOT_FOUND');
    const bytes = call.body as Buffer;
    const signed = environments
      .flatMap((environment) =>
        (call.services.callbackSecrets[environment.name].get(provider) ?? []).map((secret) => ({
          environment,
          secret,
        })),
      )
      .find(({ secret }) => dialect.isGenuine(call.headers, bytes, secret));
    if (!signed) return notGenuine(call);

    const json = parseJson(bytes);
    if (!json.ok) return json;
    const { environment, secret } = signed;
    const read = dialect.read(json.value, { bytes, secret });
    if (!read.ok) return read;
    if (read.value) await keepSaid(environment, provider, read.value, bytes.toString());
    return done(flatAnswer(200, { status: 'ok' }));
  },
};

/**
 * A company asks whether it may pay. It is answered whenever the company is configured, because it begins to ask when our address
 * is entered there; whether its promise to ask is believed is another question (`Capabilities`). Whether it signs the question is not documented, so a secret in the path shows who
 * asks. What is not approved is refused with 400, which the company takes as a no.
 */
const approval: OpenRoute = {
  method: 'POST',
  path: '/v1/providers/:name/approvals/:secret',
  operation: 'providerApproval',
  reads: 'raw',
  doc: {
    section: 'Transfers',
    sdk: null,
    summary: 'Ask whether a transfer may be paid',
    description:
      'For payment providers, not for partners: `paystack` asks here before it pays. 200 lets it pay, 400 stops it. The secret in the path names the environment; a wrong one is a 404.',
    body: z.record(z.string(), z.unknown()),
    answer: { status: 200, description: 'It may be paid', body: z.object({ status: z.literal('ok') }) },
    refusals: ['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'],
  },
  async handle(call) {
    const provider = call.params.name ?? '';
    const read = APPROVAL_DIALECTS.get(provider);
    const environment = Object.values(call.services.environments).find(
      ({ name, providers }) =>
        companiesWithOrders(providers).some((one) => one.name === provider) &&
        call.services.approvalSecrets[name].some((secret) => isSame(secret, call.params.secret ?? '')),
    );
    if (!read || !environment) return refuse('NOT_FOUND');
    const json = parseJson(call.body as Buffer);
    const asked = json.ok ? read(json.value) : null;
    const mayPay = asked !== null && (await approvePayout(environment, provider, asked));
    if (mayPay) return done(flatAnswer(200, { status: 'ok' }));
    call.services.logger.warn({ provider, reference: asked?.reference }, 'A payout was not approved');
    return done(flatAnswer(400, { status: 'refused' }));
  },
};

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (secret: string, given: string): boolean => timingSafeEqual(digestOf(secret), digestOf(given));

/** Counted like every failed authentication of its address (D150, D155). */
async function notGenuine({ services, remoteAddress }: OpenCall): Promise<Refused> {
  const wait = await services.strangers.ofAddress(networkOf(remoteAddress));
  return wait ? refuse('RATE_LIMIT_EXCEEDED', wait) : refuse('INVALID_TOKEN');
}

export const providerRoutes: readonly OpenRoute[] = [callback, approval];
