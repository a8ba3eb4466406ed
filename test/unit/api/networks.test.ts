/** A network means the same in each of its spellings (D197). */
import { isWithin, networkNamed } from '../../../src/api/networks';
import { readKeyCreation } from '../../../src/wire/api-keys';

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ['::FFFF:cb00:7100/120', '203.0.113.0/24'],
  ['0:0:0:0:0:ffff:203.0.113.0/112', '203.0.113.0/16'],
  ['::ffff:0.0.0.0/96', '0.0.0.0/0'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8::1/128'],
])('%s is %s', (text, network) => expect(networkNamed(text)).toBe(network));

test.each([
  ['203.0.113.7', '::ffff:203.0.113.0/120', true],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.0/120', true],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['203.0.114.7', '::ffff:203.0.113.0/120', false],
  ['203.0.113.7', '2001:db8::/32', false],
  ['2001:db8::7', '2001:db8::/32', true],
])('%s is within %s: %s', (address, network, is) => expect(isWithin(address, [network])).toBe(is));

test.each([
  ['::ffff:203.0.113.0/120', true],
  ['::ffff:0:0/96', true],
  ['::ffff:0:0/95', false],
  ['0:0:0:0:0:ffff:203.0.113.0/64', false],
  ['::/0', true],
])('a key may name %s: %s', (network, may) =>
  expect(readKeyCreation({ allowed_cidrs: [network] }).ok).toBe(may),
);
