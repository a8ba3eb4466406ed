/**
 * A person gets the next token for the last one. Whoever was admitted stays so for 30 days, and nobody becomes the first
 * operator again because the tokens of a team have expired overnight (D91).
 */
import { admitOperator, findOperator } from '../../src/db/partners/operators';
import { hashApiKey } from '../../src/wire/api-keys';
import { openTestCell, type TestCell } from '../support/cell';
import { runTyping, type Told } from '../support/commands';
import { TEST_SECRETS } from '../support/settings';

const DAY_MS = 86_400_000;

let database: TestCell;
beforeEach(async () => {
  database = await openTestCell();
});
afterEach(() => database.close());

const run = (typed: string, ...words: string[]): Promise<Told> =>
  runTyping(typed, { ...TEST_SECRETS, DATABASE_URL: database.url }, 'keys', 'operator', ...words);
const create = (name: string): Promise<Told> => run('', 'create', name);
const renew = (name: string, last: string, ...more: string[]): Promise<Told> =>
  run(`${last}\n`, 'renew', name, ...more);
const wordAfter = (word: string, { said }: Told): string =>
  new RegExp(`^${word} +(\\S+)`, 'm').exec(said)?.[1] ?? '';
const works = async (token: string): Promise<boolean> =>
  (await findOperator(database.owner, hashApiKey(token))) !== null;

/** Ada, the first operator, and Bola, whom she has admitted. @returns their tokens. */
async function team(): Promise<{ ada: string; bola: string; bolaId: string }> {
  const [ada, bola] = [await create('Ada'), await create('Bola')];
  const bolaId = wordAfter('id', bola);
  expect(await admitOperator(database.owner, bolaId, wordAfter('id', ada))).toBe(true);
  return { ada: wordAfter('token', ada), bola: wordAfter('token', bola), bolaId };
}
const expireAll = () =>
  database.sql(
    `UPDATE platform.operators SET expires_at = now() - interval '1 hour' WHERE revoked_at IS NULL`,
  );

test('the next token is given for the last one, which ends, and the admission stays', async () => {
  const { bola, bolaId } = await team();
  await expireAll();
  const renewed = await renew('Bola', bola);
  expect(renewed).toMatchObject({ code: 0, complaint: '' });
  expect(wordAfter('id', renewed)).toBe(bolaId);
  const next = wordAfter('token', renewed);
  expect([await works(next), await works(bola)]).toEqual([true, false]);
  const [row] = await database.sql(
    `SELECT a.name AS admitter, o.expires_at FROM platform.operators o JOIN platform.operators a ON a.id = o.admitted_by
      WHERE o.name = 'Bola'`,
  );
  expect(row!['admitter']).toBe('Ada');
  expect(Math.abs(Date.parse(row!['expires_at']) - Date.now() - DAY_MS / 2)).toBeLessThan(60_000);
  expect(await renew('Bola', bola)).toMatchObject({ code: 1, said: '' });
  const trail = await database.sql('SELECT action, resource, detail FROM platform.audit ORDER BY sequence');
  expect(trail.at(-1)).toMatchObject({ action: 'renewOperator', resource: `operators/${bolaId}` });
  for (const secret of [bola, next]) expect(JSON.stringify(trail)).not.toContain(secret);
});

test('the first operator renews the token, too', async () => {
  const { ada } = await team();
  await expireAll();
  expect(await works(wordAfter('token', await renew('Ada', ada)))).toBe(true);
});

test('whoever comes while others may renew theirs is not the first operator', async () => {
  await team();
  await expireAll();
  expect((await create('Chidi')).said).toContain('another operator admits it');
  await database.sql(
    `UPDATE platform.operators SET admitted_at = now() - interval '30 days 1 minute' WHERE name <> 'Chidi'`,
  );
  await database.sql(`UPDATE platform.operators SET revoked_at = now() WHERE name = 'Chidi'`);
  expect((await create('Chidi')).said).not.toContain('another operator admits it');
});

test('a token is not renewed with that of somebody else, once it was revoked, or while it waits', async () => {
  const { ada, bola } = await team();
  const waiting = wordAfter('token', await create('Chidi'));
  expect(await renew('Chidi', waiting)).toMatchObject({ code: 1, said: '' });
  for (const last of [ada, '', 'nonsense'])
    expect(await renew('Bola', last)).toMatchObject({ code: 1, said: '' });
  await run('', 'revoke', 'Bola');
  expect(await renew('Bola', bola)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('That is not the last token of Bola, or it was revoked'),
  });
});

test.each([
  ['29 days', true],
  ['30 days 1 minute', false],
])('after an admission of %s ago a token is renewed: %s, and never beyond 30 days', async (ago, may) => {
  const { bola } = await team();
  await database.sql(
    `UPDATE platform.operators SET admitted_at = now() - interval '${ago}' WHERE name = 'Bola'`,
  );
  const asked = new Date(Date.now() + 10 * DAY_MS).toISOString();
  const renewed = await renew('Bola', bola, '--expires', asked);
  expect(renewed.code).toBe(may ? 0 : 1);
  if (!may) return;
  expect(Math.abs(Date.parse(wordAfter('expires', renewed)) - Date.now() - DAY_MS)).toBeLessThan(60_000);
});
