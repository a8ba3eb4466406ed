/** Plays the simulated provider: signs a callback and sends it. */
import { newId } from '../../src/db/pg/ids';
import { simulatorSignature } from '../../src/wire/provider-callbacks';
import type { Json } from './calls';
import { TEST_SECRETS } from './settings';

/** The secrets in the settings of the tests. */
export const CALLBACK_SECRETS = {
  sandbox: TEST_SECRETS.PROVIDER_CALLBACK_SECRET_SANDBOX,
  live: TEST_SECRETS.PROVIDER_CALLBACK_SECRET_LIVE,
};

/** A valid callback about a transfer of 10,000 kobo; `more` replaces fields. */
export const callbackBody = (transactionId: string, more: Record<string, unknown> = {}): Json => ({
  event_id: `evt_${newId()}`,
  transaction_id: transactionId,
  provider_reference: `SBX_${transactionId}`,
  outcome: 'success',
  amount_kobo: 10_000,
  occurred_at: '2026-11-21T10:00:00.000Z',
  ...more,
});

/** Sends a body, signed with the sandbox's secret unless `headers` say otherwise. */
export async function sendCallback(
  url: string,
  body: unknown,
  options: { secret?: string; provider?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; body: Json }> {
  const { secret = CALLBACK_SECRETS.sandbox, provider = 'simulator', headers = {} } = options;
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}/v1/providers/${provider}/callback`, {
    method: 'POST',
    headers: { 'X-Simulator-Signature': simulatorSignature(bytes, secret), ...headers },
    body: bytes,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
