/** What may be written where in the source (docs/architecture.md). `npm run check:arch` has which folder may import which. */
import { present } from '../../src/domain/assert';
import { findEverywhere, findingsOf, SOURCE_RULES, type SourceRule } from '../support/source-rules';

describe('everywhere', () => {
  let found: ReturnType<typeof findEverywhere>;
  beforeAll(() => {
    found = findEverywhere();
  });

  test.each(SOURCE_RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
    const { files, findings } = present(found.get(rule), rule.name);
    expect(findings).toEqual([]);
    expect(files).toBeGreaterThan(rule.only ? 15 : 50);
  });
});

describe.each<[rule: number, forbidden: string[], harmless: string]>([
  [
    0,
    [
      "pool.query('SELECT 1')",
      'client.query(`UPDATE ${cell}.accounts SET a = 1`)',
      'client.query(`${prefix} DELETE FROM ${cell}.entries`)',
      "run('INSERT INTO x VALUES (1)')",
    ],
    '// SELECT and UPDATE x SET in a comment\nconst text = "Select a bank to update";',
  ],
  [
    1,
    [
      'const port = process.env.PORT;',
      "const port = process['env'].PORT;",
      'const { env } = process;',
      'const { env: all } = process;',
    ],
    '// process.env\nconst { platform } = process; const { env } = call; const a = call.env;',
  ],
  [
    2,
    [
      "if (environment.name === 'sandbox') run();",
      "if ('live' !== name) run();",
      "switch (name) { case 'live': run(); }",
    ],
    "const name = 'sandbox'; if (environment.allowsSimulation) open(name);",
  ],
  [
    3,
    [
      "if (transaction.type === 'bank_transfer') settle();",
      "const told = 'reversal' !== type;",
      "switch (opening.type) { case 'qr_payment': pay(); }",
      "const REFERRING = ['p2p_transfer', 'split_payment'];",
      'const FEES = { qr_payment: 0 };',
      "pool.query(`SELECT id FROM ${cell}.transactions WHERE type = 'bank_transfer'`)",
      "pool.query(`SELECT id FROM ${cell}.transactions WHERE type IN ('reversal', 'fee_deduction')`)",
    ],
    "// type === 'bank_transfer'\nconst kind = kindOf(transaction.type); post({ type: 'qr_payment' }); " +
      "if (once.by === 'qr_request') TRANSACTION_KINDS.ussd_payment; write(['ussd_payment', walletId]);",
  ],
  [
    4,
    [
      "if (call.form === 'guide') write();",
      "const plain = 'reference' !== form;",
      "switch (form) { case 'quickstart': write(); }",
    ],
    "const form = 'guide'; DIALECTS[form].error.write(refusal); writeTransaction(found, 'reference');",
  ],
  [
    5,
    [
      'const body = { amount_kobo: 1 };',
      'const kobo = body.balance_after_kobo;',
      "const kobo = body['customerFee'];",
      'const { netAmount } = fees;',
      'const wallet = { PartnerID: id };',
    ],
    '// amount_kobo\nconst value = { amountKobo: 1, customerFeeKobo: 2 } satisfies Metadata;',
  ],
  [
    6,
    [
      'environment.relay.afterCommit(cell, done);',
      'const { relay } = call.environment;',
      'const { temporal: client } = environment;',
      'await call.cell.ledger.post(item);',
    ],
    '// environment.relay\nconst ledger = readLedger(call); relay(call); write(ledger);',
  ],
  [
    7,
    [
      "import { insertEndpoint } from '../../db/events/endpoints';",
      "import { setPin as findPin } from '../../db/wallets/pins';",
    ],
    "import { findWallet, listWallets, type NewWallet } from '../../db/wallets/wallets';" +
      "import type { WalletMove } from '../../db/wallets/wallet-life'; import { setPin } from '../../operations/wallets/set-pin';",
  ],
  [
    8,
    ['let held = 0;', 'const HELD_MS = 5;', 'isHeld();', "pool.query('SELECT held_until FROM codes');"],
    "// a lock is held\nconst shieldedBy = 'upheld'; const KeyHolder = hold(withheld);",
  ],
])('rule %d', (place, forbidden, harmless) => {
  const rule = SOURCE_RULES[place] as SourceRule;

  test.each(forbidden)('finds %s', (code) => expect(findingsOf(rule, code)).toHaveLength(1));

  test('passes over code that only looks like a finding', () =>
    expect(findingsOf(rule, harmless)).toEqual([]));
});
