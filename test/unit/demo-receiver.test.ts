/** The demo's receiver accepts exactly the deliveries that Standard Webhooks says it should (D108). */
import { Webhook } from 'standardwebhooks';
import { openReceiver, type Delivery } from '../../examples/demo/receiver';

const KEY = Buffer.alloc(24, 7).toString('base64');
const SECRET = `sk_wh_${KEY}`;
const ID = 'wh_0123456789';

function bodyWith(webhookId: string): string {
  const data = { id: 'f', type: 'p2p_transfer' };
  return JSON.stringify({
    event: 'transaction.completed',
    data,
    timestamp: '2026-01-02T03:04:05.678Z',
    webhook_id: webhookId,
  });
}

/** Sends one delivery, signed by the stock library, to a fresh receiver. */
async function deliver(change: {
  secret?: string;
  ageSeconds?: number;
  body?: string;
  sentBody?: string;
  prefix?: string;
}): Promise<{ status: number; deliveries: readonly Delivery[] }> {
  const sentAt = new Date(Date.now() - (change.ageSeconds ?? 0) * 1_000);
  const body = change.body ?? bodyWith(ID);
  const signature = new Webhook(change.secret ?? KEY).sign(ID, sentAt, body);
  const receiver = await openReceiver(() => undefined);
  receiver.trust(SECRET);
  try {
    const response = await fetch(receiver.url, {
      method: 'POST',
      body: change.sentBody ?? body,
      headers: {
        'webhook-id': ID,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
        'webhook-signature': `${change.prefix ?? ''}${signature}`,
      },
    });
    return { status: response.status, deliveries: receiver.deliveries };
  } finally {
    await receiver.close();
  }
}

describe('a delivery is accepted', () => {
  test.each([
    ['signed by the stock library', {}],
    ['with an older signature beside ours', { prefix: `v1,${Buffer.alloc(32).toString('base64')} ` }],
    ['four minutes old', { ageSeconds: 240 }],
  ])('%s', async (_case, change) => {
    const { status, deliveries } = await deliver(change);
    expect(status).toBe(200);
    expect(deliveries).toMatchObject([{ good: true, webhookId: ID, content: { data: { id: 'f' } } }]);
  });
});

describe('a delivery is refused', () => {
  test.each([
    ['signed with another key', { secret: Buffer.alloc(24, 8).toString('base64') }],
    ['with a body that was changed on the way', { sentBody: bodyWith(ID).replace('"f"', '"g"') }],
    ['six minutes old', { ageSeconds: 360 }],
    ['whose body names another delivery', { body: bodyWith('wh_other') }],
    ['that is signed but no JSON', { body: 'not json' }],
  ])('%s', async (_case, change) => {
    const { status, deliveries } = await deliver(change);
    expect(status).toBe(400);
    expect(deliveries).toMatchObject([{ good: false }]);
  });
});
