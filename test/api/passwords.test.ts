/** Changing a password, replacing a forgotten one, and passwords that are too common (D101). */
import { createHash } from 'node:crypto';
import type { Answer } from '../support/api';
import { mailedToken, newEmail, newOwner, PASSWORD, sessionOf, type Person } from '../support/people';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile();
const NEW = 'another long sentence';

const change = (key: string, body: object): Promise<Answer> =>
  api.call('POST', '/v1/auth/password', { key, body: { password: PASSWORD, new_password: NEW, ...body } });
const isOpen = async (key: string): Promise<boolean> => {
  const rows = await world.sql('SELECT FROM platform.sessions WHERE id = $1 AND ended_at IS NULL', [
    sessionOf(key),
  ]);
  return rows.length === 1;
};
async function askForReset({ email }: { email: string }): Promise<Answer> {
  return api.call('POST', '/v1/auth/password/forgotten', { body: { email } });
}
const reset = (token: string, password = NEW): Promise<Answer> =>
  api.call('POST', '/v1/auth/password/reset', { body: { token, new_password: password } });

/** Asks for a reset. @returns the token out of the mail. */
async function resetToken(person: Person): Promise<string> {
  expect((await askForReset(person)).status).toBe(204);
  return until('the mail is queued', () => mailedToken(world, 'reset_password', person.email));
}

describe('a common password is refused, whatever its case and however it is typed', () => {
  test.each([
    'password1',
    'Password1',
    'QWERTYUIOP',
    '1234567890',
    'iloveyou',
    'ｐａｓｓｗｏｒｄ１',
    '１２３４５６７８９０',
  ])('%s', async (common) => {
    const body = { business_name: 'Acme', email: newEmail(), phone: '+2348012345678', password: common };
    const answers = [
      await api.call('POST', '/v1/auth/register', { body }),
      await change(await (await newOwner(api, world)).token(), { new_password: common }),
      await reset('a'.repeat(43), common),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
      expect(answer.body.message).toMatch(/most common passwords/);
    }
  });
});

describe('a password signs in however its letters are typed', () => {
  const typed = {
    composed: 'kettle Ọ̀jà grün',
    apart: 'kettle Ọ̀jà grün'.normalize('NFD'),
    wide: 'ｋｅｔｔｌｅ Ọ̀jà grün',
  };

  test.each(Object.entries(typed))('chosen %s', async (_how, chosen) => {
    const owner = await newOwner(api, world);
    expect((await change(await owner.token(), { new_password: chosen })).status).toBe(204);
    for (const password of Object.values(typed)) expect((await owner.logIn({ password })).status).toBe(200);
    expect((await owner.logIn({ password: 'kettle Oja grun' })).status).toBe(401);
  });

  test('and its length is that of its letters', async () => {
    const key = await (await newOwner(api, world)).token();
    const short = await change(key, { new_password: 'e\u0301'.repeat(4) });
    expect(short.body.detail.fields).toEqual([
      { field: 'new_password', message: 'must have 8 to 128 characters' },
    ]);
    expect((await change(key, { new_password: '\ufdfa' })).status).toBe(422);
    expect((await change(key, { new_password: 'e\u0301'.repeat(128) })).status).toBe(204);
  });
});

describe('changing the password', () => {
  test('ends the other sessions, and only the new password signs in', async () => {
    const owner = await newOwner(api, world);
    const [key, other] = [await owner.token(), await owner.token('live')];
    expect((await change(key, {})).status).toBe(204);
    expect([await isOpen(key), await isOpen(other)]).toEqual([true, false]);
    expect((await owner.logIn()).status).toBe(401);
    expect((await owner.logIn({ password: NEW })).status).toBe(200);
    expect(await owner.events()).toContain('password.changed');
  });

  test('needs the old one, and wrong ones are counted like those of a login', async () => {
    const owner = await newOwner(api, world);
    // A network that has never signed in has no count of its own.
    const key = await owner.token();
    for (let n = 0; n < 10; n += 1) {
      const wrong = await change(key, { password: `wrong ${String(n)}` });
      expect(wrong).toMatchObject({ status: 401, body: { error: 'INVALID_CREDENTIALS' } });
    }
    const waiting = await change(key, {});
    expect(waiting).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
    expect(Number(waiting.headers.get('Retry-After'))).toBeGreaterThan(50);
    await until('the owner is told', async () => (await owner.events()).includes('session.refused'));
    await change(key, {});
    await world.sql('DELETE FROM platform.login_attempts');
    // The check of a password takes longer than to record a second refusal would.
    expect(await owner.logIn()).toMatchObject({ status: 200 });
    expect((await owner.events()).filter((kind) => kind === 'session.refused')).toHaveLength(1);
  });

  test('a token of the administrator belongs to no user', async () => {
    const { partnerId } = await newOwner(api, world);
    expect(await change(await api.token(partnerId), {})).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
  });
});

describe('a forgotten password', () => {
  test('is replaced with the token of a mail, and every session ends', async () => {
    const owner = await newOwner(api, world);
    const keys = [await owner.token(), await owner.token('live')];
    expect((await reset(await resetToken(owner))).status).toBe(204);
    expect(await Promise.all(keys.map(isOpen))).toEqual([false, false]);
    expect((await owner.logIn()).status).toBe(401);
    expect((await owner.logIn({ password: NEW })).status).toBe(200);
    expect(await owner.events()).toEqual(expect.arrayContaining(['password.reset_asked', 'password.reset']));
  });

  test('a reset token used twice is refused', async () => {
    const owner = await newOwner(api, world);
    const token = await resetToken(owner);
    const both = await Promise.all([reset(token), reset(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect(await reset(token, 'a third long sentence')).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR', message: 'token: is unknown, used or expired' },
    });
    expect((await owner.logIn({ password: NEW })).status).toBe(200);
  });

  test('a reset token after thirty minutes is refused', async () => {
    const owner = await newOwner(api, world);
    const token = await resetToken(owner);
    const [kept] = await world.sql(
      `SELECT round(extract(epoch FROM expires_at - created_at)) AS seconds FROM platform.mailed_tokens
        WHERE token_hash = $1`,
      [createHash('sha256').update(token).digest()],
    );
    expect(Number(kept!['seconds'])).toBe(1_800);
    await world.sql(
      `UPDATE platform.mailed_tokens SET created_at = now() - interval '31 minutes',
              expires_at = now() - interval '1 minute' WHERE kind = 'reset_password'`,
    );
    expect((await reset(token)).status).toBe(422);
    expect((await owner.logIn()).status).toBe(200);
  });

  test('nobody of a closed partner gets a token', async () => {
    const [gone, owner] = [await newOwner(api, world), await newOwner(api, world)];
    await world.sql(`UPDATE platform.partners SET status = 'closed' WHERE id = $1`, [gone.partnerId]);
    await askForReset(gone);
    // Asked for later, and sent.
    await resetToken(owner);
    expect(await mailedToken(world, 'reset_password', gone.email)).toBeNull();
  });

  test('a token to confirm an address replaces no password', async () => {
    const owner = await newOwner(api, world);
    const token = await mailedToken(world, 'confirm_email', owner.email);
    expect((await reset(token!)).status).toBe(422);
  });

  test('a change of the password makes a mailed token useless', async () => {
    const owner = await newOwner(api, world);
    const token = await resetToken(owner);
    expect((await change(await owner.token(), {})).status).toBe(204);
    expect((await reset(token)).status).toBe(422);
  });

  test('the answer is the same for an account that does not exist, and nothing is mailed', async () => {
    const email = newEmail();
    const answer = await askForReset({ email });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await mailedToken(world, 'reset_password', email)).toBeNull();
  });

  test('a reset ends the wait that strangers have caused', async () => {
    const owner = await newOwner(api, world);
    for (let n = 0; n < 11; n += 1) await owner.logIn({ password: `wrong ${String(n)}` });
    expect((await owner.logIn()).status).toBe(429);
    expect((await reset(await resetToken(owner))).status).toBe(204);
    expect((await owner.logIn({ password: NEW })).status).toBe(200);
  });
});
