/**
 * The events that the fake Paystack sends: `{ event, data }`, signed with the secret key as Paystack's page on webhooks
 * says. An event that is not answered 200 is sent again, here after a second.
 */
import { createHmac } from 'node:crypto';
import type { OpenState } from './state';

const AGAIN_MS = 1_000;
const LOOK_EVERY_MS = 25;

export interface FakeEvents {
  /** Notes an event. It is sent after the delay of the settings. */
  send(event: string, data: object): void;
}

/** @param moveOn is called before each look, because an event may be due to time alone. Without an address nobody looks. */
export function openEvents({ now, save }: OpenState, moveOn: () => void): FakeEvents {
  let isBusy = false;

  async function look(): Promise<void> {
    const { webhookUrl } = now.settings;
    if (webhookUrl === '') return;
    moveOn();
    const due = now.events.filter(({ dueAtMs }) => dueAtMs <= Date.now());
    if (due.length === 0) return;
    for (const event of due) {
      const answer = await fetch(webhookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': event.signature },
        body: event.body,
      }).catch(() => null);
      now.eventAnswers.push(answer?.status ?? 0);
      if (answer?.status === 200) event.left -= 1;
      else event.dueAtMs = Date.now() + AGAIN_MS;
    }
    now.events = now.events.filter(({ left }) => left > 0);
    save();
  }

  setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void look().finally(() => (isBusy = false));
  }, LOOK_EVERY_MS).unref();

  return {
    send(event, data) {
      const { secretKey, webhookTimes, webhookDelayMs } = now.settings;
      if (webhookTimes === 0) return;
      const body = JSON.stringify({ event, data });
      const signature = createHmac('sha512', secretKey).update(body).digest('hex');
      now.events.push({ body, signature, dueAtMs: Date.now() + webhookDelayMs, left: webhookTimes });
      save();
    },
  };
}
