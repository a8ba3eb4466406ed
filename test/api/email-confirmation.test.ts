/** Addresses are confirmed with a mailed token, and live keys wait for that (D175). Mails go over real SMTP. */
import { createMetrics } from '../../src/monitoring/metrics';
import { newId } from '../../src/db/pg/ids';
import { readWorkerConfig, type WorkerConfig } from '../../src/runtime/config';
import { startMailSender, type MailSender } from '../../src/worker/mail-sender';
import { testLogger } from '../support/log';
import { openMailReceiver, tokenIn, type MailReceiver } from '../support/mail-receiver';
import { apiForFile } from '../support/scene';
import { TEST_SETTINGS } from '../support/settings';
import { until } from '../support/until';

const { world, api } = apiForFile();
const PASSWORD = 'correct horse battery';
let receiver: MailReceiver;
let sender: MailSender;

beforeAll(async () => {
  receiver = await openMailReceiver();
  sender = startSender();
});
afterAll(async () => {
  await sender.stop();
  await receiver.close();
});

const startSender = (inProduction = false): MailSender => {
  const config = readWorkerConfig({
    ...TEST_SETTINGS,
    MAIL_FROM: 'no-reply@wallet.example',
    MAIL_RETRY_MS: '100,100,100',
    SMTP_URL: receiver.url,
    DATABASE_URL: world.databaseUrl,
  });
  // The secrets of tests are too weak for a whole configuration of production.
  const own: WorkerConfig = inProduction ? { ...config, NODE_ENV: 'production' } : config;
  return startMailSender(own, api.environments.live.sealing, testLogger(own), createMetrics());
};

const newEmail = (): string => `Owner-${newId()}@acme.example`;
const register = async (email = newEmail()): Promise<{ id: string; email: string; mailed: string }> => {
  const body = { business_name: 'Acme Fintech', email, phone: '+2348012345678', password: PASSWORD };
  const { data } = (await api.call('POST', '/v1/auth/register', { body })).body;
  return { id: data.id, email, mailed: email.toLowerCase() };
};
const confirm = (token: unknown) => api.call('POST', '/v1/auth/email/confirm', { body: { token } });
const eventsOf = async (id: string) =>
  (await api.call('GET', '/v1/security-events', { key: await api.token(id) })).body.data as {
    kind: string;
  }[];
const mailOf = async (recipient: string) =>
  (await world.sql('SELECT * FROM platform.mail_outbox WHERE recipient = $1', [recipient]))[0]!;

test('from registration over the mail to the confirmed address', async () => {
  const { id, mailed } = await register();
  const mail = await receiver.mailTo(mailed);
  expect(mail.subject).toBe('Confirm your email address');
  expect(mail.source).toContain('curl -X POST http://127.0.0.1:3000/v1/auth/email/confirm');
  expect(mail.source).toContain('text/html');
  expect(mail.source).not.toContain('Acme');
  expect((await eventsOf(id)).map(({ kind }) => kind)).toEqual(['account.registered']);

  const body = { token: tokenIn(mail), password: PASSWORD };
  const confirmed = await api.call('POST', '/v1/auth/email/confirm', { body });
  expect(confirmed).toMatchObject({
    status: 200,
    body: { data: { email: mailed, confirmed_at: expect.stringMatching(/Z$/) } },
  });
  expect(await eventsOf(id)).toMatchObject([
    { kind: 'email.confirmed', description: 'The email address was confirmed.', address: '127.0.0.1' },
    { kind: 'account.registered' },
  ]);
});

test('a live key does not work before the address is confirmed, and works after', async () => {
  const { id, mailed } = await register();
  await world.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [id]);
  const [live, sandbox] = await Promise.all([
    api.partner({ id, environment: 'live' }),
    api.partner({ id, environment: 'sandbox' }),
  ]);
  const refusal = {
    status: 403,
    body: { error: 'FORBIDDEN', message: expect.stringMatching(/email address is confirmed/) },
  };
  expect(await live.get('/v1/webhooks')).toMatchObject(refusal);
  expect(await live.post('/v1/wallets', { user_ref: 'ada' })).toMatchObject(refusal);
  const liveToken = await api.token(id, 'live');
  const byToken = { key: liveToken, body: { user_ref: 'ada' } };
  expect(await api.call('POST', '/v1/wallets', byToken)).toMatchObject(refusal);
  expect((await api.call('GET', '/v1/webhooks', { key: liveToken })).status).toBe(200);
  expect((await sandbox.get('/v1/webhooks')).status).toBe(200);

  const body = { token: tokenIn(await receiver.mailTo(mailed)), password: PASSWORD };
  expect((await api.call('POST', '/v1/auth/email/confirm', { body })).status).toBe(200);
  await until('the live key works', async () => (await live.get('/v1/webhooks')).status === 200);
});

describe('a token', () => {
  test('is refused when it is used again', async () => {
    const token = tokenIn(await receiver.mailTo((await register()).mailed));
    expect((await confirm(token)).status).toBe(200);
    expect(await confirm(token)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('is used once by twenty calls at a time', async () => {
    const token = tokenIn(await receiver.mailTo((await register()).mailed));
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is refused after it has expired', async () => {
    const { id, mailed } = await register();
    const token = tokenIn(await receiver.mailTo(mailed));
    await world.sql(
      `UPDATE platform.mailed_tokens SET created_at = now() - interval '25 hours', expires_at = now() - interval '1 hour'
        WHERE partner_id = $1`,
      [id],
    );
    expect((await confirm(token)).status).toBe(422);
  });

  test.each([['A'.repeat(43)], ["' OR ''='"], [''], [null], [7], [['a']]])('%j is refused', async (token) => {
    expect(await confirm(token)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('is kept nowhere in the clear, and nowhere at all once its mail was sent', async () => {
    const { id, mailed } = await register();
    const token = tokenIn(await receiver.mailTo(mailed));
    await until('the mark of the mail', async () => (await mailOf(mailed))['sent_at']);
    const kept = await world.sql(
      `SELECT t::text FROM platform.mailed_tokens t WHERE partner_id = $1
        UNION ALL SELECT m::text FROM platform.mail_outbox m WHERE partner_id = $1`,
      [id],
    );
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain(token);
    expect((await mailOf(mailed))['token_sealed']).toBeNull();
  });
});

describe('a mail', () => {
  test('is queued with its registration or not at all', async () => {
    const { email, mailed } = await register();
    const again = { business_name: 'Other', email, phone: '+2348012345678', password: PASSWORD };
    expect((await api.call('POST', '/v1/auth/register', { body: again })).status).toBe(202);
    const mails = await world.sql('SELECT kind FROM platform.mail_outbox WHERE recipient = $1', [mailed]);
    expect(mails.map(({ kind }) => kind).sort()).toEqual(['confirm_email', 'registration_known']);
  });

  test('is sent again after an outage of the SMTP server', async () => {
    receiver.refuseWith(451);
    const { mailed } = await register();
    await until('a failed attempt', async () => Number((await mailOf(mailed))['attempts']) > 0);
    receiver.refuseWith(0);
    await receiver.mailTo(mailed);
  });

  test('is given up when the SMTP server refuses it for good, and its token is forgotten', async () => {
    receiver.refuseWith(550);
    const { mailed } = await register();
    const mail = await until('the end of the mail', async () => {
      const now = await mailOf(mailed);
      return now['given_up_at'] === null ? null : now;
    });
    receiver.refuseWith(0);
    expect(mail).toMatchObject({ sent_at: null, token_sealed: null, attempts: 1 });
  });

  test('goes out once although several processes send', async () => {
    const others = [startSender(), startSender()];
    const registered = await Promise.all(Array.from({ length: 10 }, () => register()));
    for (const { mailed } of registered) {
      await until('the mark of the mail', async () => (await mailOf(mailed))['sent_at']);
    }
    await Promise.all(others.map((other) => other.stop()));
    const ids = receiver.received.map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('in production a mail waits rather than cross the network without TLS', async () => {
  await sender.stop();
  const secured = startSender(true);
  const { mailed } = await register();
  await until('a failed attempt', async () => Number((await mailOf(mailed))['attempts']) > 0);
  await secured.stop();
  expect(receiver.received.filter(({ to }) => to.includes(mailed))).toEqual([]);
  sender = startSender();
  await receiver.mailTo(mailed);
});
