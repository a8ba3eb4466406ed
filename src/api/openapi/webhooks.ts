/** The deliveries that partners receive, as the document's `webhooks` (interface: Events; D108, D109). */
import type { oas31, ZodOpenApiPathItemObject } from 'zod-openapi';
import { deliveryOf, EVENT_DOCS } from '../../wire/event-payloads';

const header = (name: string, description: string): oas31.ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Standard Webhooks: any of its libraries verifies a delivery, given the secret after `sk_wh_`. */
const SIGNATURE_HEADERS = [
  header('webhook-id', 'The `webhook_id` of the body: the same on every attempt'),
  header('webhook-timestamp', 'Unix seconds of this attempt: refuse what is older than five minutes'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_`',
  ),
];

export const documentedWebhooks = (): Record<string, ZodOpenApiPathItemObject> =>
  Object.fromEntries(
    Object.entries(EVENT_DOCS).map(([kind, { when, payloads }]) => [
      kind,
      {
        post: {
          operationId: `on.${kind}`,
          tags: ['Webhook endpoints'],
          summary: when,
          security: [],
          parameters: SIGNATURE_HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: deliveryOf(kind, payloads) } },
          },
          responses: {
            '2XX': {
              description: 'Received. With every other status the attempt has failed and is repeated.',
            },
            '410': { description: 'The endpoint is switched off.' },
          },
        },
      },
    ]),
  );
