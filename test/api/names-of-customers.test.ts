/** What a partner can learn about another partner's customers by asking for the names of accounts (D171). */
import { FIRST_SERIAL, serialAt } from '../../src/db/wallets/account-serials';
import { newId } from '../../src/db/pg/ids';
import { nubanFor } from '../../src/domain/nuban';
import { apiForFile } from '../support/scene';
import type { TestPartner } from '../support/partners';

const { world, api } = apiForFile();
const OUR_BANK = '50999';

const numberOf = async (partner: TestPartner, walletId: string): Promise<string> =>
  (await partner.get(`/v1/wallets/${walletId}`)).body.data.wallet.account_number as string;
const enquire = (partner: TestPartner, number: string) =>
  partner.get(`/v1/banks/resolve?bank_code=${OUR_BANK}&account_number=${number}`);

test("walking account numbers does not list another partner's customers", async () => {
  const [attacker, other] = [await api.partner(), await api.partner()];
  const own = await numberOf(attacker, await attacker.wallet());
  const numbers: string[] = [];
  for (let customer = 0; customer < 30; customer++) numbers.push(await numberOf(other, await other.wallet()));

  const serial = Number(own.slice(0, 9));
  const walked = Array.from({ length: 200 }, (_, step) => nubanFor(OUR_BANK, serial - 50 + step));
  const names: string[] = [];
  for (const number of walked.filter((one) => one !== own)) {
    const answer = await enquire(attacker, number);
    if (answer.status === 200) names.push(answer.body.account_name as string);
  }
  expect(names.filter((name) => name.startsWith('ACME FINTECH/'))).toEqual([]);
  expect(walked.filter((number) => numbers.includes(number))).toEqual([]);
});

test("the partner's own name of a customer does not leave by name enquiry", async () => {
  const [other, partner] = [await api.partner(), await api.partner()];
  const userRef = `ada.obi-${newId()}`;
  const number = await numberOf(partner, await partner.wallet({ userRef }));
  const answer = await enquire(other, number);
  expect(answer.body.account_name).toBe(`ACME FINTECH/${number.slice(-6)}`);
  expect(answer.text.toLowerCase()).not.toContain(userRef);
});

test('one who asks for many names is refused, and everything else goes on', async () => {
  const limited = await world.startApi({ RATE_LIMIT_NAME_ENQUIRY: '3' });
  const partner = (await api.partner()).at(limited);
  const neighbour = (await api.partner()).at(limited);
  const answers = [];
  for (let call = 0; call < 10; call++) answers.push(await enquire(partner, '0123456789'));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body).toMatchObject({
    error: 'RATE_LIMIT_EXCEEDED',
    message: expect.stringMatching(/name of an account/),
  });
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await partner.get('/v1/banks')).status).toBe(200);
  expect((await enquire(neighbour, '0123456789')).status).toBe(200);
});

test('every place has a serial of its own, and its neighbours tell nothing about it', () => {
  const places = Array.from({ length: 20_000 }, (_, step) => FIRST_SERIAL + step);
  const serials = places.map((place) => serialAt(place, 'a key'));
  expect(new Set(serials).size).toBe(places.length);
  expect(serials.filter((serial) => serial < FIRST_SERIAL || serial > 999_999_999)).toEqual([]);
  const steps = serials.slice(1).map((serial, before) => Math.abs(serial - (serials[before] ?? 0)));
  expect(steps.filter((step) => step < 100).length).toBeLessThan(10);
  expect(serialAt(FIRST_SERIAL, 'another key')).not.toBe(serials[0]);
});
