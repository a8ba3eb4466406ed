/** What a statement says of the other side of each entry, and where its fees stand; and who sent a credit of our own MFB. */
import type { Json } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let ada: string;
let bola: string;
let adasAccount: Json;
let bolasAccount: Json;

/** What everybody but its owner sees of an account. */
const seen = ({ account_name: name, bank_name, account_number: number }: Json) => ({
  name,
  bank_name,
  account_number: `******${(number as string).slice(-4)}`,
});
const entriesOf = async (wallet: string): Promise<Json[]> =>
  (await partner.get(`/v1/wallets/${wallet}/statement`)).body.data.entries;
const csvOf = async (wallet: string): Promise<string[]> =>
  (await partner.get(`/v1/wallets/${wallet}/statement?format=csv`)).text.trimEnd().split('\r\n');
const toBank = async (dest_account: Json, more: Json = {}): Promise<Json> => {
  const body = {
    source_wallet: ada,
    amount: 20_000,
    reference: `out-${String(Math.random())}`,
    dest_account,
    ...more,
  };
  const answer = await partner.post('/v1/transfers/bank', body);
  expect(answer.status).toBe(202);
  return answer.body.data;
};

beforeAll(async () => {
  ada = await partner.wallet({ fundKobo: 1_000_000 });
  bola = await partner.wallet();
  [adasAccount, bolasAccount] = [
    (await partner.get(`/v1/wallets/${ada}`)).body.data.wallet,
    (await partner.get(`/v1/wallets/${bola}`)).body.data.wallet,
  ];
});

test('a transfer between wallets names the other one to each, with bank and masked number, and its fee', async () => {
  const body = { source_wallet: ada, dest_wallet: bola, amount: 10_000, reference: 'between' };
  expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
  const [paid, got] = [(await entriesOf(ada)).at(-1), (await entriesOf(bola)).at(-1)];
  expect(paid).toMatchObject({ direction: 'debit', counterparty: seen(bolasAccount) });
  expect(paid!.fee).toBe(paid!.amount - 10_000);
  expect(paid!.fee).toBeGreaterThan(0);
  expect(got).toMatchObject({ direction: 'credit', amount: 10_000, fee: 0, counterparty: seen(adasAccount) });
});

test('a transfer to a bank names the account that was paid', async () => {
  await toBank({ bank_code: '058', account_number: '0123456789', account_name: 'Kemi Ojo' });
  expect((await entriesOf(ada)).at(-1)).toMatchObject({
    counterparty: { name: 'Kemi Ojo', bank_name: 'Guaranty Trust Bank', account_number: '******6789' },
  });
});

test('as CSV a fee has a line of its own, and the lines of an entry lead from balance to balance', async () => {
  const lines = await csvOf(ada);
  expect(lines[0]).toBe(
    'sequence,created_at,transaction_id,type,reference,description,debit_naira,credit_naira,balance_naira,' +
      'counterparty_name,counterparty_bank,counterparty_account',
  );
  const rows = lines.slice(1).map((line) => line.split(','));
  const [payment, fee] = rows.filter((row) => row[4] === 'between') as [string[], string[]];
  expect(payment.slice(3)).toEqual([
    'p2p_transfer',
    'between',
    '',
    '100.00',
    '',
    '9900.00',
    bolasAccount.account_name,
    bolasAccount.bank_name,
    seen(bolasAccount).account_number,
  ]);
  expect(fee[0]).toBe(payment[0]);
  expect(fee.slice(3, 6)).toEqual(['fee', 'between', 'Fee and VAT']);
  expect(Number(fee[8])).toBeCloseTo(9_900 - Number(fee[6]), 2);
  const [opening, ...others] = rows;
  let balance = Number(opening![8]);
  for (const row of others.slice(0, -1)) {
    balance += Number(row[7] ?? 0) - Number(row[6] ?? 0);
    expect(Number(row[8])).toBeCloseTo(balance, 2);
  }
  expect(lines.join()).not.toContain('0123456789');
});

test('a funding of the sandbox has no other side', async () => {
  expect((await entriesOf(ada))[0]).toMatchObject({ type: 'wallet_funding', fee: 0, counterparty: null });
});

test('a credit from a wallet by our own MFB names its sender, in the sandbox, too', async () => {
  const sent = await toBank(
    { bank_code: '058', account_number: '0123456789', account_name: 'Kemi Ojo' },
    { description: 'Rent' },
  );
  await partner.post(`/v1/sandbox/wallets/${bola}/fund`, { amount_kobo: 20_000 });
  const credit = (await entriesOf(bola)).at(-1)!;
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.own_mfb_credits (bank_transfer_id, funding_id) VALUES ($1, $2)`,
    [sent.id, credit.transaction_id],
  );
  const inbound = {
    sender_name: adasAccount.account_name,
    sender_bank: adasAccount.bank_name,
    sender_account_number: seen(adasAccount).account_number,
    narration: 'Rent',
  };
  const { body } = await partner.get(`/v1/transactions/${credit.transaction_id}`);
  expect(body.data.metadata).toEqual({ inbound });
  const listed = (await partner.get(`/v1/wallets/${bola}/transactions?limit=1`)).body.data;
  expect(listed[0].metadata).toEqual({ inbound });
  expect((await entriesOf(bola)).at(-1)).toMatchObject({ counterparty: seen(adasAccount) });
});

test('a PDF is drawn with both lines of an entry', async () => {
  const { status, text } = await partner.get(`/v1/wallets/${ada}/statement?format=pdf`);
  expect([status, text.startsWith('%PDF-')]).toEqual([200, true]);
});
