/**
 * `npm run demo`: a story of payments through the SDK, against the running sandbox or one that is started for the
 * demo. Two wallets, money in, between and out, a repeat, a failure, and the webhooks; every figure that it prints
 * has been checked. Exit code 0 when all of it held, 1 with one clear line when something did not.
 */
import { randomBytes } from 'node:crypto';
import { formatNaira, WalletClient, WalletError } from '../../sdk/src';
import { ConfigError, loadDotEnv, readStartConfig } from '../../src/runtime/config';
import { BrokenPromise } from './check';
import {
  BANK_FEE_KOBO,
  BANK_KOBO,
  FUNDING_KOBO,
  P2P_FEE_KOBO,
  P2P_KOBO,
  QR_KOBO,
  SPLIT_KOBO,
  USSD_KOBO,
} from './money';
import * as payments from './payments';
import { duration, row, sign } from './print';
import { openReceiver } from './receiver';
import type { Delivery, Receiver } from './receiver';
import { findSandbox } from './sandbox';
import * as steps from './steps';

/** Enough to wait about a minute for a platform that restarts. */
const RETRIES_MAX = 10;

async function main(): Promise<void> {
  loadDotEnv();
  const sandbox = await findSandbox(readStartConfig().DATA_DIR, (stop) => {
    atTheEnd(stop);
    print('  No sandbox is running: starting one for the demo (npm start keeps one running)');
  });
  print(`  Partner Wallet demo against ${sandbox.apiUrl}\n`);
  const { apiUrl: baseUrl, key: apiKey } = sandbox;
  await tellStory(new WalletClient({ apiKey, baseUrl, maxRetries: RETRIES_MAX }));
  if (sandbox.pageUrl !== undefined) print(`     See it: ${sandbox.pageUrl}`);
}

/** Opens the receiver, registers it, and tells the story; both are removed at the end, whatever happens. */
async function tellStory(client: WalletClient): Promise<void> {
  const receiver = await openReceiver((delivery, status) => {
    print(
      `     --> ${headline(delivery)} [${delivery.webhookId}]  <-- [${String(status)}] POST ${receiver.url}`,
    );
  });
  atTheEnd(() => receiver.close());
  await step(1, 'Webhook endpoint', async (say) => {
    const id = await steps.registerEndpoint(client, receiver);
    atTheEnd(() => steps.removeEndpoint(client, id));
    say(receiver.url);
  });
  await moveMoney(client, receiver);
}

async function moveMoney(client: WalletClient, receiver: Receiver): Promise<void> {
  // Each run has a suffix, because a user_ref or a reference can be used only once (R32).
  const suffix = randomBytes(3).toString('hex');

  const { ada, bola } = await step(2, `Create ada-${suffix}, bola-${suffix}`, async (say) => {
    const [ada, bola] = await Promise.all([
      steps.createWallet(client, `ada-${suffix}`),
      steps.createWallet(client, `bola-${suffix}`),
    ]);
    say(`pending -> active   ${ada.accountNumber} / ${bola.accountNumber}`);
    return { ada, bola };
  });

  const fundingId = await step(3, 'Fund ada', async (say) => {
    const id = await steps.fund(client, ada);
    say(formatNaira(FUNDING_KOBO));
    return id;
  });

  const request = { source: ada, dest: bola, key: suffix };
  const p2p = await step(4, `P2P ada -> bola ${formatNaira(P2P_KOBO)}`, async (say) => {
    const made = await steps.transferP2p(client, request);
    say(`completed, fee ${formatNaira(P2P_FEE_KOBO)}, ada ${formatNaira(made.sourceLeftKobo)}`);
    return made;
  });

  await step(5, 'Same Idempotency-Key again', async (say) => {
    await steps.replayP2p(client, request, p2p.transfer);
    say('same transaction, balance unchanged');
  });

  const paid = await step(6, `Bank transfer ${formatNaira(BANK_KOBO)}`, async (say) => {
    const made = await steps.transferToBank(client, ada, `demo-bank-${suffix}`);
    say(`processing -> completed, fee ${formatNaira(BANK_FEE_KOBO)}`);
    return made;
  });

  const failed = await step(7, 'Bank transfer to ...0000', async (say) => {
    const made = await steps.transferToFailingBank(client, ada, `demo-fail-${suffix}`);
    say(`processing -> failed, ${formatNaira(made.returnedKobo)} back`);
    return made;
  });

  const pair = { payer: ada, payee: bola };
  const qrId = await step(8, `Pay a QR ${formatNaira(QR_KOBO)}`, async (say) => {
    const id = await payments.payByQr(client, pair, `demo-qr-${suffix}`);
    say('scanned and completed, a second scan pays nothing');
    return id;
  });

  const split = await step(9, `Split between two, ${formatNaira(SPLIT_KOBO)} each`, async (say) => {
    const carol = await steps.createWallet(client, `carol-${suffix}`);
    const ids = await payments.splitBetween(client, ada, [bola, carol], `demo-split-${suffix}`);
    say('both legs completed in one commit');
    return { ids, carol };
  });

  const ussd = await step(10, `USSD payment ${formatNaira(USSD_KOBO)}`, async (say) => {
    const made = await payments.payByUssd(client, pair, `demo-ussd-${suffix}`);
    say(`dialled ${made.dialCode}, confirmed, completed`);
    return made;
  });

  const verificationId = await step(11, 'Verify a BVN', async (say) => {
    const id = await payments.verifyBvn(client, ada);
    say('pending -> verified');
    return id;
  });

  await step(12, 'Webhooks', async (say) => {
    const { receivedCount, goodCount } = await steps.checkDeliveries(receiver, [
      { event: 'wallet.activated', id: ada.id },
      { event: 'wallet.activated', id: bola.id },
      { event: 'transaction.completed', id: fundingId },
      { event: 'transaction.completed', id: p2p.transfer.id },
      { event: 'transaction.completed', id: paid.id },
      { event: 'transaction.failed', id: failed.id },
      { event: 'transaction.completed', id: qrId },
      { event: 'wallet.activated', id: split.carol.id },
      ...split.ids.map((id) => ({ event: 'transaction.completed', id })),
      { event: 'transaction.completed', id: ussd.id },
      { event: 'kyc.verified', id: verificationId },
    ]);
    steps.checkReversalTold(receiver, failed.id, failed.reversalId);
    say(`${String(receivedCount)} received, ${String(goodCount)} signatures good`);
  });

  for (const wallet of [ada, bola]) {
    const { entryCount, balanceKobo } = await steps.checkLedger(client, wallet);
    print(
      `  ${sign(true)}  Ledger of ${wallet.userRef}: ${String(entryCount)} ${entryCount === 1 ? 'entry' : 'entries'}, ` +
        `credits - debits = ${formatNaira(balanceKobo)} = balance, chain unbroken`,
    );
  }
}

/** Runs one step, then prints its row; a step that fails is named before its error is passed on. */
async function step<Result>(
  number: number,
  label: string,
  run: (say: (outcome: string) => void) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let outcome = '';
  try {
    const result = await run((words) => (outcome = words));
    print(row(number, label, outcome, performance.now() - startedAt));
    return result;
  } catch (error) {
    print(
      `  ${sign(false)}  Step ${String(number)}, ${label}, after ${duration(performance.now() - startedAt)}:`,
    );
    throw error;
  }
}

/** An event in a few words: its kind and the type of its transaction. */
function headline({ content }: Delivery): string {
  if (content === undefined) return 'not believed';
  const type = 'type' in content.data ? content.data.type : '';
  return `${content.event} ${type}`.trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const endings: (() => Promise<void>)[] = [];
let ending: Promise<void> | undefined;

/** Has `work` done when the demo ends: by itself, by a signal, or because its terminal is gone. */
function atTheEnd(work: () => Promise<void>): void {
  endings.push(work);
}

/**
 * Does the collected work once, the last first. Errors here are ignored, because only an error from before must be
 * reported.
 */
function end(): Promise<void> {
  ending ??= (async () => {
    for (const work of endings.reverse()) await work().catch(() => undefined);
  })();
  return ending;
}

/** The exit codes that a shell gives for a program that was ended by a signal. */
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
for (const [signal, code] of Object.entries(SIGNAL_CODES)) {
  process.on(signal, () => void end().then(() => process.exit(code)));
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => void end().then(() => process.exit(SIGNAL_CODES.SIGHUP)));
}

main()
  .catch((error: unknown) => {
    if (ending !== undefined) return;
    // A mistake of the service or of the settings is reported in one line. Any other error is the demo's own, and
    // its stack helps.
    const known = [BrokenPromise, ConfigError, WalletError].some((kind) => error instanceof kind);
    const { message, stack } = error as Error;
    const words = known ? message : (stack ?? message);
    process.stderr.write(`  ${sign(false)}  ${words}\n`);
    process.exitCode = 1;
  })
  .finally(() => void end());
