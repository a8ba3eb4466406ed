/** The known name that is nearest to one that is not known. */
import { nearestTo } from '../../../src/wire/nearest';

const KNOWN = ['source_wallet', 'dest_wallet', 'amount', 'reference', 'description', 'metadata'];

test.each([
  ['amout', 'amount'],
  ['ammount', 'amount'],
  ['AMOUNT', 'amount'],
  ['amounts', 'amount'],
  ['destWallet', 'dest_wallet'],
  ['dest-wallet', 'dest_wallet'],
  ['destination_wallet', undefined],
  ['sourceWalet', 'source_wallet'],
  ['refrence', 'reference'],
  ['meta', undefined],
  ['pin', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('%s: %s', (written, name) => expect(nearestTo(written, KNOWN)?.name).toBe(name));
