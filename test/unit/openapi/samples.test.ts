/** The sample that a test of an endpoint sends has the documented shape of the real event. */
import { EVENT_KINDS } from '../../../src/domain/events';
import { TEST_EVENT } from '../../../src/wire/event-payloads';
import { samplePayload } from '../../../src/wire/webhook-samples';
import { contract } from '../../support/contract';

const ENDPOINT_ID = '0198c0de-0000-7000-8000-000000000001';

test.each([...EVENT_KINDS, TEST_EVENT, 'transfer.completed', 'transfer.failed'])('%s', (event) => {
  const data: unknown = JSON.parse(samplePayload(event, ENDPOINT_ID));
  const delivery = { event, data, timestamp: '2026-01-15T09:30:00.000Z', webhook_id: `wh_${'0'.repeat(32)}` };
  expect(() => contract().checkDelivery(JSON.stringify(delivery))).not.toThrow();
});
