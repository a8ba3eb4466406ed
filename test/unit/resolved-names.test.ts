/** Sandbox account holders: the published rule, computed by hand for three accounts. */
import { sandboxAccountName } from '../../src/providers/resolved-names';

test.each([
  // The first two bytes of `printf 0580123456789 | sha256sum`, modulo 12, and so on.
  ['058', '0123456789', 'ADEYEMI TEMITOPE'],
  ['50211', '2000000000', 'MUSA FATIMA'],
  ['999992', '8031234567', 'ADEYEMI ADAEZE'],
])('the holder at bank %s of account %s is %s', (bankCode, accountNumber, name) => {
  expect(sandboxAccountName(bankCode, accountNumber)).toBe(name);
});

test('many accounts have many different names', () => {
  const names = Array.from({ length: 500 }, (_, serial) => sandboxAccountName('058', `10000${serial}`));
  expect(new Set(names).size).toBeGreaterThan(100);
});
