/** What the command line makes of the options of a body, and what it does not guess. */
import { bodyOf } from '../../../cli/body';
import { UsageError } from '../../../cli/usage';

const FIELDS = {
  source_wallet: { type: 'string' },
  amount: { type: 'integer' },
  metadata: { type: 'object' },
  terms: { type: 'boolean' },
  expires_in_seconds: { type: 'integer' },
};
const body = (values: Record<string, string>) => bodyOf(FIELDS, values);

test.each<[Record<string, string>, object]>([
  [{ amount: '1500' }, { amount: 150_000 }],
  [{ amount: '1500.50' }, { amount: 150_050 }],
  [{ amount: '0.05' }, { amount: 5 }],
  [{ amountKobo: '150' }, { amount: 150 }],
  [{ sourceWallet: '007' }, { source_wallet: '007' }],
  [
    { metadata: '{"order":1}', terms: 'true' },
    { metadata: { order: 1 }, terms: true },
  ],
  [{ metadata: '{"card":"12345678901234567890"}' }, { metadata: { card: '12345678901234567890' } }],
  [
    { data: '{"amount":5}', sourceWallet: 'a' },
    { amount: 5, source_wallet: 'a' },
  ],
])('%j is the body %j', (values, expected) => expect(body(values)).toEqual(expected));

/** Not even where programs would read a number. */
const NO_NUMBERS = ['1e3', ' 5', '5 ', '-1', '+1', '1,000', '0x10', '', 'NaN', '٥', '1_000'];
const refusal =
  (name: string, says: RegExp) =>
  (text: string): [Record<string, string>, RegExp] => [{ [name]: text }, says];
const KEPT = /which JSON does not keep: write it as text/;

test.each<[Record<string, string>, RegExp]>([
  ...[...NO_NUMBERS, '1500.5', '1.505', '.5', '1.'].map(
    refusal('amount', /^--amount is in naira, in digits/),
  ),
  ...[...NO_NUMBERS, '1.0', '9007199254740992'].map(
    refusal('amountKobo', /^--amount-kobo is a whole number in digits/),
  ),
  ...NO_NUMBERS.map(refusal('expiresInSeconds', /^--expires-in-seconds is a whole number/)),
  [{ amount: '99999999999999999' }, /^--amount: not an amount in naira/],
  [{ amount: '5', amountKobo: '500' }, /either in naira as --amount, or in kobo as --amount-kobo/],
  [{ amount: '5', data: '{"amount":500}' }, /either in --data, or as --amount/],
  [{ amount: '5', data: '{}' }, /either in --data, or as --amount/],
  [{ amountKobo: '5', data: '{}' }, /either in --data, or as --amount/],
  [{ sourceWallet: 'a', data: '{"source_wallet":"b"}' }, /either in --data or as --source-wallet/],
  [{ data: '[]' }, /--data is an object/],
  [{ data: 'null' }, /--data is an object/],
  [{ data: '7' }, /--data is an object/],
  [{ data: '{' }, /--data is not JSON/],
  [{ data: '@nowhere.json' }, /--data cannot be read/],
  [{ data: '{"amount":100000000000000001}' }, KEPT],
  [{ metadata: '{"order":-12345678901234567890}' }, KEPT],
  [{ metadata: 'lunch' }, /--metadata is not JSON/],
])('%j is refused', (values, says) => {
  expect(() => body(values)).toThrow(says);
  expect(() => body(values)).toThrow(UsageError);
});
