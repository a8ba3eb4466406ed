/** One telephone number is written in many ways, and is one number (D70). */
import { hasZeroBehindCode, isE164, phoneOf } from '../../../src/domain/phones';

test.each([
  '+2348012345678',
  '2348012345678',
  ' 2348012345678',
  '08012345678',
  '0801 234 5678',
  '+234 801 234 5678',
  '+234-801-234-5678',
  '234(801)2345678',
  '002348012345678',
  '+2340801 234 5678',
  '23408012345678',
])('%s is +2348012345678', (text) => expect(phoneOf(text)).toBe('+2348012345678'));

test.each([
  ['+447700900123', '+447700900123'],
  ['00447700900123', '+447700900123'],
  ['+2348012345679', '+2348012345679'],
  ['0801234567', '+0801234567'],
  ['080123456789', '+080123456789'],
  ['', '+'],
])('%s is %s', (text, phone) => expect(phoneOf(text)).toBe(phone));

test.each([
  ['+2348012345678', true],
  ['+12345678', true],
  ['+123456789012345', true],
  ['+1234567', false],
  ['+1234567890123456', false],
  ['+0348012345678', false],
  ['2348012345678', false],
  ['08012345678', false],
  ['+23408012345678', false],
  ['+2340801234567', false],
  ['+234 8012345678', false],
])('%s in E.164 form: %s', (text, is) => expect(isE164(text)).toBe(is));

test.each([
  ['+23408012345678', true],
  ['23408012345678', true],
  ['+2348012345678', false],
  ['+2348002340', false],
])('%s has a 0 behind the code: %s', (text, has) => expect(hasZeroBehindCode(text)).toBe(has));
