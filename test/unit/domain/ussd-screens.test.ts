/**
 * What a payer reads and types: screens that fit on handsets, and inputs as gateways send them (D71, D76).
 */
import { isBirthdayIn, isEasyToGuess, isPin, outcomeOf } from '../../../src/domain/pins';
import type { Metadata } from '../../../src/domain/wallets';
import { readDialled, readSteps, type DialogueStep } from '../../../src/domain/ussd-dialogue';
import { SCREEN_MAX, SCREENS, screenOf } from '../../../src/domain/ussd-screens';
import { USSD_STATUSES } from '../../../src/domain/ussd';

const payment = { amountKobo: 250_000, merchantName: 'ADA STORES', reference: 'ORD-1' };

describe('screens', () => {
  test.each<[string, string, string]>([
    ['menu', SCREENS.menu(payment), 'CON Pay NGN 2,500.00 to ADA STORES\nRef ORD-1\n1. Confirm\n2. Cancel'],
    ['pin', SCREENS.pin(), 'CON Enter your 4-digit wallet PIN'],
    ['wrong PIN, two left', SCREENS.wrongPin(2), 'CON Wrong PIN. 2 tries left. Enter PIN'],
    ['wrong PIN, one left', SCREENS.wrongPin(1), 'CON Wrong PIN. 1 try left. Enter PIN'],
    ['completed', SCREENS.completed(payment), 'END Payment successful. Ref ORD-1'],
    ['processing', SCREENS.processing(payment), 'END Payment is being processed. Ref ORD-1'],
    [
      'a PIN without an answer yet',
      SCREENS.checking(),
      'END Your PIN is being checked. Dial again to see the result',
    ],
    ['expired', SCREENS.expired(), 'END Session expired'],
    ['cancelled', SCREENS.failed('CANCELLED'), 'END Cancelled'],
    ['no funds', SCREENS.failed('INSUFFICIENT_FUNDS'), 'END Insufficient balance'],
    ['three wrong PINs', SCREENS.failed('WRONG_PIN'), 'END Wrong PIN 3 times'],
    ['locked', SCREENS.failed('PIN_LOCKED'), 'END PIN locked'],
    ['without a PIN', SCREENS.failed('PIN_NOT_SET'), 'END PIN not set'],
    ['frozen, without saying so', SCREENS.failed('WALLET_FROZEN'), 'END Payment not possible'],
    ['away', SCREENS.unavailable(), 'END Service unavailable'],
  ])('%s', (_name, screen, text) => expect(screen).toBe(text));

  test.each<[number, string]>([
    [1, '0.01'],
    [99_999, '999.99'],
    [100_000, '1,000.00'],
    [123_456_789, '1,234,567.89'],
    [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91'],
  ])('%d kobo reads NGN %s', (amountKobo, text) => {
    expect(SCREENS.menu({ ...payment, amountKobo })).toContain(`Pay NGN ${text} to `);
  });

  const longest = {
    amountKobo: Number.MAX_SAFE_INTEGER,
    merchantName: 'W'.repeat(60),
    reference: 'R'.repeat(128),
  };
  const spread = { ...payment, merchantName: '₦ﬃ'.repeat(30), reference: '㎯'.repeat(128) };
  const states = USSD_STATUSES.map((status) => ({ status, failureReason: null }));

  test.each([longest, spread])('the longest names fit, in characters that every handset has', (names) => {
    for (const state of states) {
      const screen = screenOf({ ...names, ...state });
      expect(screen.length).toBeLessThanOrEqual(SCREEN_MAX);
      expect(screen).toMatch(/^(CON|END) [ -Z_a-z\n]+$/);
    }
  });

  test.each([
    ['Àdá & Sọns', 'Ada & Sons'],
    ['[shop] {1}', '(shop) (1)'],
    ['Ƙasimu Ɗanladi', 'Kasimu Danladi'],
    ['Yar’Adua – ₦5', "Yar'Adua - NGN5"],
    ['店', '?'],
    ['x'.repeat(41), `${'x'.repeat(38)}..`],
    ['x'.repeat(40), 'x'.repeat(40)],
  ])('"%s" is shown as "%s"', (merchantName, shown) => {
    expect(SCREENS.menu({ ...payment, merchantName })).toContain(` to ${shown}\n`);
  });
});

describe('inputs', () => {
  test.each<[string[], DialogueStep]>([
    [[], { kind: 'menu' }],
    [['5'], { kind: 'menu' }],
    [[''], { kind: 'menu' }],
    [['1'], { kind: 'ask_pin' }],
    [['5', '1'], { kind: 'ask_pin' }],
    [['2'], { kind: 'cancel' }],
    [['2', '1'], { kind: 'cancel' }],
    [['1', '1234'], { kind: 'pin', pin: '1234', hop: 2 }],
    [['5', '1', '1234'], { kind: 'pin', pin: '1234', hop: 3 }],
    [['1', '1111', '1234'], { kind: 'pin', pin: '1234', hop: 3 }],
    [['1', '12345'], { kind: 'ask_pin' }],
    [['1', '12a4'], { kind: 'ask_pin' }],
    [['1', ''], { kind: 'ask_pin' }],
    [['1', '١٢٣٤'], { kind: 'ask_pin' }],
    [['1', '1111', 'x'], { kind: 'ask_pin' }],
    [['1', '2'], { kind: 'ask_pin' }],
  ])('%j is %j', (inputs, step) => expect(readSteps(inputs)).toEqual(step));

  test.each<[string, string, string | null, string[]]>([
    ['*384*4827#', '', null, []],
    ['*384*4827#', '1', null, ['1']],
    ['*384*4827#', '615203', '615203', []],
    ['*384*4827#', '615203*1*1234', '615203', ['1', '1234']],
    ['*384*4827#', '*384*4827*615203#', '615203', []],
    ['*384*4827#', '*384*4827*615203#*1', '615203', ['1']],
    ['*384*4827*615203#', '', '615203', []],
    ['*384*4827*615203#', '1*1234', '615203', ['1', '1234']],
    ['*384*4827#', '61520', null, ['61520']],
    ['*384*4827#', '6152034', null, ['6152034']],
    ['*384*4827#', '1*615203', null, ['1', '615203']],
    ['*384*9999#', '615203*1', '615203', ['1']],
  ])('service %s with text "%s" dials %s and types %j', (serviceCode, text, code, inputs) => {
    expect(readDialled('*384*4827', { serviceCode, text })).toEqual({ code, inputs });
  });
});

describe('PINs', () => {
  test.each(['0000', '1234', '9876', '0789'])('%s is a PIN', (pin) => expect(isPin(pin)).toBe(true));
  test.each(['', '123', '12345', '12a4', ' 123', '1234\n', '١٢٣٤', '１２３４'])('"%s" is none', (text) =>
    expect(isPin(text)).toBe(false),
  );

  test.each([
    ['0000', true],
    ['7777', true],
    ['1234', true],
    ['6789', true],
    ['0123', true],
    ['4321', true],
    ['3210', true],
    ['1235', false],
    ['7890', false],
    ['1122', false],
    ['0007', false],
    ['1212', true],
    ['1221', false],
    ['1899', false],
    ['1900', true],
    ['1987', true],
    ['2000', true],
    ['2026', true],
    ['2027', false],
  ])('%s is easy to guess: %s', (pin, easy) =>
    expect(isEasyToGuess(pin, new Date('2026-06-01T00:00:00Z'))).toBe(easy),
  );

  test.each<[object, string, boolean]>([
    [{ date_of_birth: '1990-07-31' }, '3107', true],
    [{ date_of_birth: '1990-07-31' }, '0731', true],
    [{ date_of_birth: '1990-07-31T00:00:00Z' }, '0731', true],
    [{ dob: '31/07/1990' }, '3107', true],
    [{ birth_date: '31.07.1990' }, '0731', true],
    [{ birthday: '31-07-1990' }, '3107', true],
    [{ date_of_birth: '1990-07-31' }, '3007', false],
    [{ date_of_birth: '1990' }, '3107', false],
    [{ date_of_birth: 7 }, '3107', false],
    [{}, '3107', false],
  ])('of an owner with %j %s is the birthday: %s', (metadata, pin, is) =>
    expect(isBirthdayIn(metadata as Metadata, pin)).toBe(is),
  );

  test.each([
    [true, 1, 1, 'pin_accepted'],
    [true, 3, 9, 'pin_accepted'],
    [false, 1, 1, 'pin_rejected'],
    [false, 2, 8, 'pin_rejected'],
    [false, 3, 3, 'pin_exhausted'],
    [false, 3, 9, 'pin_exhausted'],
    [false, 1, 9, 'pin_locked'],
    [false, 2, 9, 'pin_locked'],
  ] as const)('right %s, attempt %d, %d wrong in a row: %s', (right, number, wrongInARow, outcome) => {
    expect(outcomeOf({ right, number, wrongInARow })).toBe(outcome);
  });
});
