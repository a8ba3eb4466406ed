/** Proposals: what one operator proposes, others approve or reject, for all kinds alike (D14, D91). */
import { done, map, refuse, type Outcome } from '../../../domain/outcome';
import type { OperatorCode } from '../../../domain/operators';
import type { Proposal } from '../../../domain/proposals';
import { findProposal, listProposals } from '../../../db/partners/proposals';
import { ownBooks, type OwnBooks } from '../../../operations/days/own-books';
import { allocatable } from '../../../operations/money/allocate-credit';
import { returnAllocatable } from '../../../operations/money/allocate-return';
import { refundable, releasableRefund } from '../../../operations/money/refund-credit';
import { settlingAdjustment, writableOff } from '../../../operations/money/settle-suspense';
import { showCredit } from '../../../operations/money/senders';
import { approve, decide, reject } from '../../../operations/operators/decisions';
import type { Tenant } from '../../../operations/tenant';
import { findReversalId, findTransaction } from '../../../db/ledger/transactions';
import { findWallet } from '../../../db/wallets/wallets';
import {
  proposalsQuery,
  readAdjustment,
  readAllocation,
  readNothing,
  readReason,
  readRefund,
  writeCredit,
  writeProposal,
} from '../../../wire/operators';
import { writeTransaction } from '../../../wire/transactions';
import { BY_TIME, pageAnswer } from '../../page';
import { dataAnswer } from '../../route';
import {
  command,
  decided,
  idOf,
  inEnvironment,
  notServedHere,
  list,
  ofPartner,
  peopleView,
  view,
  type OperatorCall,
  type PartnerCall,
  type Served,
} from '../route';

const PATH = '/ops/proposals';

/** Why, and where it is kept. */
interface Reasons {
  note: string;
  evidenceRef: string;
}

/** The reversal by which a returned transfer has come to a wallet. */
async function showReversal(call: PartnerCall, transferId: string): Promise<Served> {
  const reversalId = await findReversalId(call.cell, transferId);
  const found = reversalId && (await findTransaction(call.cell, call.partner.id, reversalId));
  return found ? done(dataAnswer(call, 200, writeTransaction(found, 'reference'))) : refuse('NOT_FOUND');
}

const find = async (call: OperatorCall): Promise<Proposal | null> => {
  const id = idOf(call, 'proposal_id');
  return id === null ? null : findProposal(call.platform, id);
};

/** Finds the proposal that the path names, and carries the command out for the partner that it is about, or for us. */
const ofProposal =
  (
    change: (
      call: OperatorCall,
      about: { proposal: Proposal; tenant: Tenant | OwnBooks },
    ) => Promise<Changed>,
  ) =>
  async (call: OperatorCall): Promise<Served> => {
    const proposal = await find(call);
    if (!proposal) return refuse('NOT_FOUND');
    const environment = call.services.environments[proposal.environment];
    if (!environment) return notServedHere(proposal.environment);
    const found = proposal.partnerId === null ? null : await environment.findPartner(proposal.partnerId);
    if (!found && proposal.partnerId !== null) return refuse('NOT_FOUND');
    const tenant = found ? { ...found, environment } : ownBooks(environment);
    const outcome = await change(call, { proposal, tenant });
    return map(outcome, (now) => ({
      ...dataAnswer(call, 200, writeProposal(now.proposal)),
      noted: now.noted,
    }));
  };
type Changed = Outcome<{ proposal: Proposal; noted: Record<string, unknown> }, OperatorCode>;

export const proposalRoutes = [
  list(
    PATH,
    'listProposals',
    'Proposals of both environments, newest first; `status` and `kind` filter',
    proposalsQuery,
    async (call) => {
      const { status = null, kind = null } = call.query;
      return pageAnswer(call, {
        name: `ops/proposals/${status ?? ''}/${kind ?? ''}`,
        order: BY_TIME,
        find: (page) => listProposals(call.platform, { ...page, status, kind }),
        write: writeProposal,
      });
    },
  ),
  view(`${PATH}/:proposal_id`, 'showProposal', 'One proposal with its terms and approvals', async (call) => {
    const found = await find(call);
    return found ? done(dataAnswer(call, 200, writeProposal(found))) : refuse('NOT_FOUND');
  }),
  command(
    `${PATH}/:proposal_id/approve`,
    'approveProposal',
    'Approve somebody else’s proposal; the last approval that is needed carries it out',
    'Whoever approves is another person than the proposer, and Postgres counts them',
    readNothing,
    ofProposal((call, { proposal, tenant }) => approve(call, tenant, proposal.id, call.operator.id)),
  ),
  command(
    `${PATH}/:proposal_id/reject`,
    'rejectProposal',
    'End a proposal that is not approved yet; the proposer withdraws it the same way',
    'It only holds back',
    readReason,
    ofProposal((call, { proposal }) => reject(call.platform, proposal)),
  ),
  command(
    '/ops/:environment/partners/:partner_id/adjustments',
    'proposeAdjustment',
    'Propose to credit or debit a wallet, which two others approve; `finding_id` is the finding that it ends; 202',
    null,
    readAdjustment,
    ofPartner(async (call, asked) => {
      if (!(await findWallet(call.cell, call.partner.id, asked.walletId))) return refuse('WALLET_NOT_FOUND');
      const terms = await settlingAdjustment(call, asked);
      if (!terms.ok) return terms;
      return decided(call, await decide(call, call, 'adjust_wallet', terms.value, call.operator.id));
    }),
  ),
  command(
    '/ops/:environment/partners/:partner_id/credits/:credit_id/allocate',
    'allocateCredit',
    'Credit a wallet of this partner with money that no wallet took: a payment, or a transfer that came back; in live 202 with a proposal',
    null,
    readAllocation,
    ofPartner(async (call, asked) => {
      const creditId = idOf(call, 'credit_id');
      if (creditId === null) return refuse('NOT_FOUND');
      // The finding of a return has the id of its transfer in the place of a credit's.
      const back = await returnAllocatable(call, { ...asked, transactionId: creditId });
      if (back.ok || back.refusal.code !== 'NOT_FOUND') {
        if (!back.ok) return back;
        const terms = { ...asked, transactionId: creditId, amountKobo: back.value.amountKobo };
        const outcome = await decide(call, call, 'allocate_return', terms, call.operator.id);
        return decided(call, outcome, () => showReversal(call, creditId));
      }
      const may = await allocatable(call, { creditId, walletId: asked.walletId });
      if (!may.ok) return may;
      const terms = { ...asked, creditId, amountKobo: may.value.amountKobo };
      return decided(call, await decide(call, call, 'allocate_credit', terms, call.operator.id));
    }),
  ),
  command(
    '/ops/:environment/findings/:finding_id/write-off',
    'writeOff',
    'Propose to book what we miss of a finding as a loss, which two others approve; 202',
    null,
    readRefund,
    inEnvironment(async (call, asked: Reasons) => {
      const findingId = idOf(call, 'finding_id');
      if (findingId === null) return refuse('NOT_FOUND');
      const may = await writableOff(call.environment, findingId);
      if (!may.ok) return may;
      const own = ownBooks(call.environment);
      const terms = { ...may.value, ...asked };
      return decided(call, await decide(call, own, 'write_off', terms, call.operator.id));
    }),
  ),
  peopleView(
    '/ops/:environment/credits/:credit_id',
    'showCredit',
    'A payment that came in from outside, with who has paid; `reason` says why it is read',
    inEnvironment(async (call) => {
      const creditId = idOf(call, 'credit_id');
      const shown = creditId === null ? null : await showCredit(call.environment, creditId);
      return shown ? done(dataAnswer(call, 200, writeCredit(shown))) : refuse('NOT_FOUND');
    }),
  ),
  command(
    '/ops/:environment/credits/:credit_id/refund',
    'refundCredit',
    'Give a payment that no wallet took back to its payer; 202 with a proposal',
    null,
    readRefund,
    inEnvironment(async (call, asked: Reasons) => {
      const creditId = idOf(call, 'credit_id');
      if (creditId === null) return refuse('NOT_FOUND');
      const may = await refundable(call.environment, creditId);
      if (!may.ok) return may;
      const own = ownBooks(call.environment);
      const terms = { ...asked, ...may.value, creditId };
      return decided(call, await decide(call, own, 'refund_credit', terms, call.operator.id));
    }),
  ),
  command(
    '/ops/:environment/credits/:credit_id/release-refund',
    'releaseRefund',
    'Give up a refund that its provider does not have by its own statement; 202 with a proposal',
    null,
    readRefund,
    inEnvironment(async (call, asked: Reasons) => {
      const creditId = idOf(call, 'credit_id');
      if (creditId === null) return refuse('NOT_FOUND');
      const may = await releasableRefund(call.environment, creditId);
      if (!may.ok) return may;
      const { id: refundId, provider } = may.value;
      const terms = { ...asked, creditId, refundId, provider };
      const own = ownBooks(call.environment);
      return decided(call, await decide(call, own, 'release_refund', terms, call.operator.id));
    }),
  ),
];
