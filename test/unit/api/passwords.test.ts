/** Passwords: what is kept of them, and how many are checked at once (D101). */
import { hash } from '@node-rs/argon2';
import { createPasswords } from '../../../src/secrets/passwords';

const passwords = createPasswords();

test('what is kept is argon2id, with a salt of its own each time', async () => {
  const [one, other] = [await passwords.hash('secret'), await passwords.hash('secret')];
  for (const kept of [one, other]) expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
});

test.each([
  ['the same', 'correct horse', true],
  ['another', 'correct house', false],
  ['another case', 'Correct horse', false],
  ['with a space behind', 'correct horse ', false],
  ['nothing', '', false],
])('%s password matches: %s, %s', async (_what, tried, matches) => {
  expect(await passwords.matches(tried, await passwords.hash('correct horse'))).toBe(matches);
});

describe('one password, however it is typed', () => {
  const ways: [string, string, string][] = [
    ['marks composed and apart', 'grüne Käse Ọjà', 'gru\u0308ne Ka\u0308se O\u0323ja\u0300'],
    ['letters of full width', 'kettle 2026', 'ｋｅｔｔｌｅ　２０２６'],
    ['a no-break space', 'two words here', 'two\u00a0words here'],
    ['a ligature', 'ﬁfty ﬂags', 'fifty flags'],
    ['letters of Hangul', '비밀번호입니다요', '비밀번호입니다요'.normalize('NFD')],
    ['an Ångström for an Å', 'Ångström 123', '\u212bngstro\u0308m 123'],
  ];

  test.each(ways)('%s', async (_what, one, other) => {
    const [ofOne, ofOther] = [await passwords.hash(one), await passwords.hash(other)];
    for (const kept of [ofOne, ofOther]) {
      expect(await passwords.matches(one, kept)).toBe(true);
      expect(await passwords.matches(other, kept)).toBe(true);
      expect(await passwords.matches(`${one}x`, kept)).toBe(false);
    }
  });

  test.each(ways)(
    'of which what was typed is kept from before still works: %s',
    async (_what, _one, other) => {
      const before = await hash(other, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      expect(await passwords.matches(other, before)).toBe(true);
      expect(await passwords.matches(`${other}x`, before)).toBe(false);
    },
  );
});

test('every character of a long password counts', async () => {
  const long = 'a'.repeat(127);
  const kept = await passwords.hash(`${long}b`);
  expect(await passwords.matches(`${long}b`, kept)).toBe(true);
  expect(await passwords.matches(`${long}c`, kept)).toBe(false);
});

test.each(['', 'anything'])('the password %j does not match where there is no user', async (tried) => {
  expect(await passwords.matches(tried, null)).toBe(false);
});

test('when too many come at once, the later ones are refused at once and the others are served', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.matches('x', null)));
  const refused = tries.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(60 - 52);
  for (const one of refused) expect(String(one.reason)).toMatch(/too many/);
  // Every place is free again.
  expect(await passwords.matches('x', null)).toBe(false);
});
