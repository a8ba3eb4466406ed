/**
 * A transfer to a bank account: debited at once, finished by its workflow (interface: POST /v1/transfers/bank;
 * D56-D60).
 */
import { isSandboxMfb, unknownBank, type Bank } from '../../domain/banks';
import type { OpeningOf, PostedLeg } from '../../domain/ledger';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import { stampDutyKobo } from '../../domain/fees';
import { unusual } from '../../domain/payout-instructions';
import { keptCallbackOf, scenarioOfAccount } from '../../domain/sandbox-scenarios';
import { payoutIntentions } from '../../contract/intentions';
import { dutyIdOf, newId } from '../../db/pg/ids';
import { banksOfNuban } from '../../db/wallets/directory';
import type { BankTransferRequest } from '../../wire/transfers';
import { notConfigured } from '../not-configured';
import type { Replied, Reply } from '../reply';
import type { Tenant } from '../tenant';
import { postOpening } from './post-opening';

/**
 * Debits amount, fee and, where it is charged, stamp duty (R46), with the intention of the workflow in the same commit.
 * @param asked for the sandbox only. `paused`: its outcome waits until it is completed or failed by hand (D96).
 *   `scenario`: the outcome that it is to have (D206); null where the account decides.
 * @returns the answer, or refused: INVALID_BANK_CODE, SERVICE_UNAVAILABLE without a payment provider, VALIDATION_ERROR for
 *   an order that is to come back from a wallet of ours, or by the ledger.
 */
export async function sendToBank(
  tenant: Tenant,
  request: BankTransferRequest,
  { paused, scenario }: { paused: boolean; scenario: string | null },
  { key, write }: Reply<PostedLeg>,
): Promise<Outcome<Replied>> {
  const opening = await bankOpening(tenant, request);
  if (!opening.ok) return opening;
  if (isSandboxMfb(request.bankCode) && keptCallbackOf(scenario)?.outcome === 'reversed') return NO_RETURN;
  return postOpening(tenant, {
    opening: {
      ...opening.value,
      ...(tenant.environment.allowsSimulation && { paused, scenario: scenario ?? opening.value.scenario }),
      key,
    },
    // Partners are told of the transfer's end, and not of its acceptance.
    announce: () => [],
    intend: ({ transaction }, epoch) => payoutIntentions(transaction, epoch),
    write,
  });
}

/** The wallet would keep the money that its bank sends back. */
const NO_RETURN = refuseFields({
  field: 'X-Sandbox-Scenario',
  message: 'must not send money back from one of your own wallets',
});

/**
 * The movement that such a request asks for; a quote asks the ledger about the same one.
 * @returns it, or refused: INVALID_BANK_CODE, SAME_WALLET_TRANSFER, SERVICE_UNAVAILABLE without a payment provider.
 */
export async function bankOpening(
  tenant: Tenant,
  { bankCode, accountNumber, accountName, purpose, onNameMismatch, ...request }: BankTransferRequest,
): Promise<Outcome<OpeningOf<'bank_transfer'>>> {
  const { environment, partner } = tenant;
  if (environment.providers.payouts.length === 0) return notConfigured('payment');
  const bank = await environment.banks.find(bankCode);
  if (!bank) return unknownBank(await environment.banks.list(), bankCode);
  // An amount that is too low is refused before (D135).
  if (request.amountKobo >= 1 && (await isOwnAccount(tenant, request.sourceWalletId, bank, accountNumber)))
    return refuse('SAME_WALLET_TRANSFER');
  const transactionId = newId();
  const dutyKobo = environment.chargesStampDuty ? stampDutyKobo(request.amountKobo) : 0;
  return done({
    kind: 'open',
    type: 'bank_transfer',
    transactionId,
    partnerId: partner.id,
    ...(dutyKobo > 0 && { duty: { transactionId: dutyIdOf(transactionId), amountKobo: dutyKobo } }),
    ...request,
    destAccount: {
      bankCode,
      bankName: bank.name,
      accountNumber,
      accountName,
      resolvedName: null,
      ...unusual({ ...(purpose && { purpose }), ...(onNameMismatch && { onNameMismatch }) }),
    },
    paused: false,
    scenario: environment.allowsSimulation ? scenarioOfAccount(bankCode, accountNumber) : null,
    key: null,
  });
}

/**
 * Whether an account at a bank is the one of the wallet that pays: the money would go around, for a fee. Nothing is said about
 * wallets of others, and a code of the bank that is not the one it is kept under is the same bank.
 */
export async function isOwnAccount(
  { environment: { pool, directory, banks }, partner }: Tenant,
  walletId: string,
  bank: Bank,
  accountNumber: string,
): Promise<boolean> {
  const owner = { partnerId: partner.id, walletId };
  const codes = await banksOfNuban(pool, directory, owner, accountNumber);
  const its = await Promise.all(codes.map((code) => banks.find(code)));
  return its.some((one) => one?.code === bank.code);
}
