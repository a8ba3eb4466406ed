/** The audit itself: sound books give no finding, and each seeded fault is found by the rule that it breaks. */
import { newId } from '../../src/db/pg/ids';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, funding, p2p, settlement, transactionIdOf } from '../support/movements';
import { pastChecks } from '../support/past-checks';
import { SANDBOX_CELL } from '../setup/cells';

const partnerId = newId();
let cell: TestCell;

beforeEach(async () => {
  cell = await openTestCell();
  const writer = cell.openWriter();
  const from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const to = await cell.wallet({ partnerId });
  await writer.post(p2p({ partnerId, from, to, amountKobo: 10_000 }));
  for (const end of ['completed', 'failed', null] as const) {
    const transfer = await writer.post(bankTransfer({ partnerId, from, amountKobo: 20_000 }));
    const transactionId = transactionIdOf(transfer);
    if (end) await writer.post(settlement({ partnerId, transactionId, from, to: end }));
  }
  const credited = { kind: 'own_mfb', bankTransferId: newId() } as const;
  await writer.post(funding({ partnerId, to, amountKobo: 5_000, from: credited }));
});
afterEach(() => cell.close());

const cook = (...statements: string[]) => pastChecks(cell.owner, statements);

test('books with every kind of transaction are sound', async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});

test.each([
  [
    'entries of the platform’s accounts that are one kobo too large',
    ['UPDATE entries SET amount_kobo = amount_kobo + 1 WHERE sequence IS NULL'],
    ['all entries sum to zero', 'the entries of a transaction and step sum to zero'],
  ],
  [
    'a balance that its entries do not give',
    ['UPDATE accounts SET balance_kobo = balance_kobo + 1'],
    ['a balance is the sum of its entries, its counter their number'],
  ],
  [
    'a counter that ran ahead',
    ['UPDATE accounts SET sequence = sequence + 1'],
    ['a balance is the sum of its entries, its counter their number'],
  ],
  [
    'room kept for money that is not in flight',
    ['UPDATE accounts SET in_flight_kobo = in_flight_kobo + 1'],
    ['what is in flight is the debit of the open bank transfers'],
  ],
  [
    'money in flight that no transfer took along',
    ['UPDATE accounts SET in_flight_kobo = in_flight_kobo + 1'],
    ['what is in flight is the debit of the open bank transfers'],
  ],
  [
    'a wrong balance after an entry',
    ['UPDATE entries SET balance_after_kobo = balance_after_kobo + 1 WHERE sequence = 1'],
    ['the entries of a wallet run 1..n and their balances chain'],
  ],
  [
    'a gap in the running numbers',
    ['UPDATE entries SET sequence = 100 WHERE sequence = 3'],
    ['the entries of a wallet run 1..n and their balances chain'],
  ],
  [
    'an entry of a wallet that keeps no number',
    ['UPDATE entries SET sequence = NULL, balance_after_kobo = NULL WHERE sequence = 1'],
    ['only the accounts of the platform keep no balance'],
  ],
  [
    'a completed transaction without entries',
    [`DELETE FROM entries e USING transactions t WHERE t.id = e.transaction_id AND t.type = 'p2p_transfer'`],
    ['a posted transaction has the entries of exactly its steps'],
  ],
  [
    'a completed bank transfer that was never settled',
    [`UPDATE transactions SET status = 'completed', completed_at = now() WHERE status = 'processing'`],
    ['a posted transaction has the entries of exactly its steps'],
  ],
  [
    'a fee that was not debited',
    [`UPDATE transactions SET customer_fee_kobo = 7 WHERE type = 'p2p_transfer'`],
    ['a wallet is debited amount and fee, and credited the net amount'],
  ],
  [
    'a failure without its reversal',
    ['DELETE FROM reversals'],
    [
      'exactly the failed and the returned bank transfers have one reversal, of amount and fee, to their source',
      'every reversal is registered as the reversal of a bank transfer, or of its stamp duty',
    ],
  ],
  [
    'a reversal of a transfer that did not fail',
    [`UPDATE transactions SET status = 'processing' WHERE status = 'failed'`],
    [
      'exactly the failed and the returned bank transfers have one reversal, of amount and fee, to their source',
    ],
  ],
  [
    'a reversal without the fee',
    [`UPDATE transactions SET amount_kobo = 20000 WHERE type = 'reversal'`],
    [
      'exactly the failed and the returned bank transfers have one reversal, of amount and fee, to their source',
    ],
  ],
  [
    'a reference that nobody registered',
    ['DELETE FROM used_references'],
    ['a reference belongs to the one transaction that used it'],
  ],
  [
    'a reference of another transaction',
    [`UPDATE used_references SET reference = reference || 'x'`],
    ['a reference belongs to the one transaction that used it'],
  ],
  [
    'a wallet of somebody else',
    ['UPDATE accounts SET partner_id = gen_random_uuid()'],
    ['no wallet is touched by another partner'],
  ],
])('%s is found', async (_, statements, rules) => {
  await cook(...statements);

  const findings = await auditCell(cell.url, SANDBOX_CELL);

  for (const rule of rules) expect(findings).toContainEqual(expect.stringContaining(`${rule}: `));
});
