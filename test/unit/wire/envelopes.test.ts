/** The form of an answer and the envelopes of a refusal (interface: Errors; D2, D54, D116, D133). */
import { refuse } from '../../../src/domain/outcome';
import { statusOf, writeError } from '../../../src/wire/errors';
import { formOfBody, formOfHeader } from '../../../src/wire/forms';
import { writeFunding, writeOutcome } from '../../../src/wire/sandbox';

describe('the form by the header', () => {
  test.each([
    ['reference', 'reference'],
    ['guide', 'guide'],
    ['quickstart', 'quickstart'],
    [undefined, null],
    ['', 'unknown'],
    ['Guide', 'unknown'],
    ['guide,guide', 'unknown'],
    ['toString', 'unknown'],
  ])('%p: %p', (header, form) => expect(formOfHeader(header)).toBe(form));
});

describe('the form by the keys of the body', () => {
  test.each<[unknown, string]>([
    [{ source_wallet_id: 'x' }, 'guide'],
    [{ dest_wallet_id: 'x' }, 'guide'],
    [{ amount_kobo: 1 }, 'guide'],
    [{ payer_wallet_id: 'x' }, 'guide'],
    [{ source_wallet: 'x', amount_kobo: 1 }, 'guide'],
    [{ amount_kobo: null }, 'guide'],
    [{ source_wallet: 'x', dest_wallet: 'y', amount: 1 }, 'reference'],
    [{ merchant_wallet_id: 'x' }, 'reference'],
    [{ metadata: { amount_kobo: 1 } }, 'reference'],
    [{}, 'reference'],
    [['amount_kobo'], 'reference'],
    ['amount_kobo', 'reference'],
    [null, 'reference'],
    [undefined, 'reference'],
  ])('%j: %s', (body, form) => expect(formOfBody(body)).toBe(form));
});

describe('a refusal', () => {
  const { refusal } = refuse('INSUFFICIENT_FUNDS', { detail: { availableKobo: 5, requiredKobo: 10_050 } });
  const message = 'The balance is below the amount plus fees';
  const detail = { available_kobo: 5, required_kobo: 10_050 };

  test.each(['reference', 'quickstart'] as const)('%s form: code and message at the top', (form) => {
    const text = writeError(refusal, form, 422, 'req_1');
    expect(JSON.parse(text)).toEqual({
      error: 'INSUFFICIENT_FUNDS',
      message,
      detail,
      meta: { request_id: 'req_1' },
    });
  });

  test('guide form: an object with the status', () => {
    expect(JSON.parse(writeError(refusal, 'guide', 422, 'req_1'))).toEqual({
      error: { code: 'INSUFFICIENT_FUNDS', message, http_status: 422, detail },
      meta: { request_id: 'req_1' },
    });
  });

  test.each([
    ['reference', ['error', 'message', 'meta']],
    ['guide', ['error', 'meta']],
  ] as const)('without a detail, %s form has the keys %j', (form, keys) => {
    const body = JSON.parse(writeError(refuse('NOT_FOUND').refusal, form, 404, 'req_1')) as Record<
      string,
      object
    >;
    expect(Object.keys(body)).toEqual(keys);
    expect(JSON.stringify(body)).not.toContain('detail');
  });

  test('a message of the refusal replaces the usual one', () => {
    const { refusal: invalid } = refuse('VALIDATION_ERROR', { message: 'user_ref: is required' });
    expect(JSON.parse(writeError(invalid, 'reference', 422, 'req_1'))).toEqual({
      error: 'VALIDATION_ERROR',
      message: 'user_ref: is required',
      meta: { request_id: 'req_1' },
    });
  });

  test('a detail of null is shown as null', () => {
    const { refusal: used } = refuse('DUPLICATE_REFERENCE', { detail: { transactionId: null } });
    expect(JSON.parse(writeError(used, 'reference', 409, 'req_1'))).toMatchObject({
      detail: { transaction_id: null },
    });
  });

  test('the guide shows the status it is sent with', () => {
    const { refusal: low } = refuse('AMOUNT_TOO_LOW');
    const status = statusOf(low, 'guide', true);
    expect(JSON.parse(writeError(low, 'guide', status, 'req_1'))).toMatchObject({
      error: { http_status: 400 },
    });
  });
});

describe('the flat answers of the sandbox', () => {
  test('funding', () => {
    const funding = { walletId: 'w', transactionId: 't', amountKobo: 100, balanceKobo: 1_234, note: null };
    expect(writeFunding(funding)).toEqual({
      wallet_id: 'w',
      transaction_id: 't',
      amount_kobo: 100,
      balance_kobo: 1_234,
      balance_naira: '12.34',
      status: 'completed',
      result: 'wallet funded',
      note: null,
    });
  });

  test.each(['completed', 'failed'] as const)('%s', (status) => {
    const answer = writeOutcome('t', status);
    expect(Object.keys(answer)).toEqual(['transaction_id', 'status', 'result']);
    expect(answer).toMatchObject({ transaction_id: 't', status, result: expect.stringContaining(status) });
  });
});
