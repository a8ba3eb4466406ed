/** What the compliance steps accept, at the edges of their rules (interface: Partner compliance, Limits; D152). */
import {
  readAgreements,
  readBusiness,
  readDirectors,
  readReview,
  readUseCase,
} from '../../../src/wire/compliance';

test.each(['RC12345', 'RC12345678', 'BN00000', 'IT123456'])('cac_number %s', (cacNumber) => {
  expect(readBusiness({ cac_number: cacNumber, business_type: 'ngo' })).toEqual({
    ok: true,
    value: { kind: 'business_info', cacNumber, businessType: 'ngo' },
  });
});

test.each(['llc', 'sole_prop', 'ngo', 'partnership'])('business_type %s', (businessType) => {
  expect(readBusiness({ cac_number: 'RC12345', business_type: businessType })).toMatchObject({
    value: { businessType },
  });
});

test('fifty directors, with names of 200 characters and every kind of letter', () => {
  const director = { full_name: 'Ọ'.repeat(200), role: 'Ìyá ọjà' };
  const read = readDirectors({ directors: Array.from({ length: 50 }, () => director) });
  expect(read).toMatchObject({ ok: true, value: { length: 50 } });
});

test.each([
  [{}, { bvn: null, nin: null }],
  [
    { bvn: null, nin: null },
    { bvn: null, nin: null },
  ],
  [{ bvn: '00000000000' }, { bvn: '00000000000', nin: null }],
  [{ nin: '12345678901' }, { bvn: null, nin: '12345678901' }],
  [{ passport: 'A1' }, { bvn: null, nin: null }],
])('a director with %j', (more, numbers) => {
  expect(readDirectors({ directors: [{ full_name: 'Ada Obi', role: 'CEO', ...more }] })).toEqual({
    ok: true,
    value: [{ fullName: 'Ada Obi', role: 'CEO', ...numbers }],
  });
});

test('agreements accept the terms in force', () => {
  expect(readAgreements({ terms: true, aml_policy: true, dpa: true })).toEqual({
    ok: true,
    value: { kind: 'agreements', termsVersion: '2026-01' },
  });
});

test.each([
  ['20 characters', 'a'.repeat(20)],
  ['20 characters outside the basic plane', '🧺'.repeat(20)],
  ['5,000 characters', 'a'.repeat(5_000)],
  ['lines and tabs', 'Wallets for\n\tthe market women of Aba.'],
  ['20 characters and blanks, kept as sent', `  ${'a'.repeat(20)} `],
])('a description of %s', (_what, description) => {
  expect(readUseCase({ description })).toEqual({ ok: true, value: { kind: 'use_case', description } });
});

test.each([
  [undefined, null],
  [null, null],
  ['', null],
  ['  ', null],
  ['The CAC number is wrong', 'The CAC number is wrong'],
])('the reason %j of a rejection is %j', (reason, read) => {
  expect(readReview({ decision: 'reject', reason })).toEqual({
    ok: true,
    value: { decision: 'reject', reason: read },
  });
});
