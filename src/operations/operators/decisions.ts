/**
 * The decisions of operators that need more than one person where money is real: proposed by one, approved by others,
 * carried out once. The table of kinds is in domain/proposals; this is what carries each of them out (D14, D91).
 */
import type pg from 'pg';
import { adjustmentOpening } from '../../domain/adjustments';
import type { OperatorCode } from '../../domain/operators';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import { forbidden } from '../../domain/refusal-reasons';
import { forbidsFailing } from '../../domain/payouts';
import {
  PROPOSALS,
  type OwnKind,
  type PartnerKind,
  type Proposal,
  type ProposalKind,
  type ProposalTerms,
} from '../../domain/proposals';
import { findTransaction } from '../../db/ledger/transactions';
import { approveProposal, findProposal, insertProposal, moveProposal } from '../../db/partners/proposals';
import { newId } from '../../db/pg/ids';
import { eraseCheckedPerson, erasePerson } from '../../db/upkeep/erase-person';
import { completedAtOnce } from '../../wire/webhooks';
import { closeAgreedDay } from '../days/close-day';
import type { OwnBooks } from '../days/own-books';
import { bookAgreedEntry } from '../days/treasury-entries';
import { withdrawAgreedLine } from '../days/withdraw-line';
import { allocateCredit } from '../money/allocate-credit';
import { allocateReturn } from '../money/allocate-return';
import { askProvider } from '../money/ask-provider';
import { orderRefund, releaseRefund } from '../money/refund-credit';
import { releasePayout } from '../money/release-payout';
import { settleByHand } from '../money/settle-by-hand';
import { stillSettles, writeOff } from '../money/settle-suspense';
import { reviewCompliance } from '../partners/compliance';
import type { SecurityDeps } from '../partners/security';
import type { Tenant } from '../tenant';
import { moveWallet } from '../wallets/wallet-life';
import { endLegalHold, placeLegalHold } from './legal-holds';
import { resetCodes } from './one-time-codes';
import { changeTier, reinstate } from './partners';

/** What the trail says of a decision beside its status. */
type Noted = Record<string, unknown>;

/** What decisions work with. The call of an operator has it. */
export interface DecisionDeps {
  /** `platform` under the operators' own login. */
  platform: pg.Pool;
  services: Pick<SecurityDeps, 'logSecurityEvent'>;
}

/** Under what a decision is carried out. */
interface Under {
  /** Of the proposal: a second try finds the first one by it. */
  id: string;
  /** Who proposed it, or did it alone. */
  operatorId: string;
  /** Whether it was approved by others. Otherwise it is one person's, in the sandbox. */
  isAgreed: boolean;
}

/** For whom a decision is: a partner, or ourselves where it is about our own money. */
type For<Kind extends ProposalKind> = Kind extends OwnKind ? OwnBooks : Tenant;

type Apply<Kind extends ProposalKind> = (
  deps: DecisionDeps,
  tenant: For<Kind>,
  terms: ProposalTerms[Kind],
  under: Under,
) => Promise<Outcome<Noted, OperatorCode>>;

/** Each may be called again after a lost answer, and then finds what it has done. */
const APPLY: { readonly [Kind in ProposalKind]: Apply<Kind> } = {
  /** The ledger recognises an adjustment by its id, so a second call finds it posted. */
  async adjust_wallet(_deps, { cell, partner }, terms, { id }) {
    const before = await findTransaction(cell, partner.id, id);
    const may = before ? done(null) : await stillSettles({ cell }, terms);
    if (!may.ok) return may;
    const result = await cell.ledger.post({
      movement: adjustmentOpening(id, partner.id, terms),
      announce: ({ transaction }) => [completedAtOnce(transaction)],
    });
    if (!result.ok) return result;
    switch (result.value.kind) {
      case 'posted':
      case 'same_reference':
        return done({});
      case 'locked':
        return refuse('SERVICE_UNAVAILABLE', { message: 'The wallet is busy; approve again to post it' });
      case 'same_key':
      case 'settled_before':
        throw new Error(`bug: an adjustment cannot be ${result.value.kind}`);
    }
  },

  /** A transfer that has ended as decided is done. */
  async resolve_transfer(_deps, tenant, terms, { operatorId: actor }) {
    const asked = await mayResolve(tenant, terms);
    if (!asked.ok) return asked;
    const reason = terms.to === 'failed' ? terms.failureReason : null;
    const settled = await settleByHand(tenant, terms.transactionId, {
      to: terms.to,
      reason,
      actor,
      withoutWorkflow: true,
    });
    return map(settled, () => asked.value);
  },

  /** An attempt that is released stays so. */
  async release_payout(_deps, tenant, terms) {
    return map(await releasePayout(tenant, terms), () => ({}));
  },

  /** A credit goes to one wallet, once; a second call finds it there. */
  async allocate_credit(_deps, tenant, terms, { id }) {
    return map(await allocateCredit(tenant, id, terms), () => ({}));
  },

  /** A return goes to one wallet, once; a second call finds it there. */
  async allocate_return(_deps, tenant, terms) {
    return map(await allocateReturn(tenant, terms), () => ({}));
  },

  /** The refund has the id of the proposal, so a second call finds it ordered. */
  async refund_credit(_deps, { environment }, terms, { id }) {
    return map(await orderRefund(environment, id, terms), () => ({}));
  },

  /** A refund that is given up stays so. */
  async release_refund(_deps, { environment }, terms) {
    return map(await releaseRefund(environment, terms), () => ({}));
  },

  /** The loss has an id made of the proposal's, so a second call books nothing. */
  async write_off(_deps, { environment }, terms, { id }) {
    return map(await writeOff(environment, id, terms), () => ({}));
  },

  /** The decision is kept under the id of the proposal, and applied once by it. */
  async approve_compliance(_deps, tenant, { reason, moves }, { id, operatorId, isAgreed }) {
    const agreed = isAgreed ? { id, moves } : undefined;
    return map(await reviewCompliance(tenant, 'approve', reason, operatorId, agreed), () => ({}));
  },

  async reinstate_compliance(_deps, tenant, { reason, moves }, { id, operatorId, isAgreed }) {
    const agreed = isAgreed ? { id, moves } : undefined;
    return map(await reviewCompliance(tenant, 'reinstate', reason, operatorId, agreed), () => ({}));
  },

  async reinstate_partner({ platform }, { partner }, terms) {
    return map(await reinstate(platform, partner.id, new Date(terms.suspendedAt)), () => ({}));
  },

  async raise_tier({ platform }, { partner }, terms) {
    return map(await changeTier(platform, partner.id, terms), () => ({}));
  },

  /** The row of the unfreeze carries the id of the proposal, so a second call finds it. */
  async unfreeze_wallet(_deps, tenant, { walletId, freezeId, reason }, { id, operatorId, isAgreed }) {
    const moved = await moveWallet(tenant, {
      walletId,
      trigger: 'unfreeze',
      actor: { kind: 'operator', operatorId },
      overOrder: isAgreed ? { freezeId } : 'free',
      requestId: id,
      reason,
      authority: null,
      frozenUntil: null,
    });
    return map(moved, () => ({}));
  },

  /** A second call finds nothing left to erase. The trail keeps the lists even where the proposal is not read. */
  async erase_person(_deps, { environment, cell, partner }, { walletId, erased, kept }) {
    const wallet = { partnerId: partner.id, walletId };
    const erasure = await erasePerson(cell, environment.directory, wallet);
    return map(erasure, ({ erasedAt }) => ({ erasedAt: erasedAt.toISOString(), erased, kept }));
  },

  /** A second call finds nothing left to erase. */
  async erase_checked_person(_deps, { cell, partner }, { verificationId, erased, kept }) {
    return map(await eraseCheckedPerson(cell, partner.id, verificationId), () => ({ erased, kept }));
  },

  /** The legal hold has the id of the proposal, so a second call finds it. */
  async place_legal_hold({ platform }, tenant, terms, { id }) {
    return map(await placeLegalHold(platform, tenant, id, terms), () => ({}));
  },

  /** A second call finds it lifted. */
  async lift_legal_hold({ platform }, tenant, { legalHoldId }) {
    return map(await endLegalHold(platform, tenant, legalHoldId), () => ({}));
  },

  /** Codes that are off by now are what was decided. */
  async reset_codes({ platform, services }, { partner }, { userId, enabledAt }) {
    const deps = { access: platform, logSecurityEvent: services.logSecurityEvent };
    const reset = await resetCodes(deps, { partnerId: partner.id, userId, enabledAt: new Date(enabledAt) });
    return map(reset, () => ({}));
  },

  /** The entry has the id of the proposal, so a second call finds it. */
  async book_treasury(_deps, own, terms, { id }) {
    return map(await bookAgreedEntry(own, id, terms), () => ({}));
  },

  /** The line keeps the id of the proposal, and what was booked for it is taken back under ids of their own. */
  async withdraw_line(_deps, own, terms, { id }) {
    return map(await withdrawAgreedLine(own, id, terms), () => ({}));
  },

  /** The day keeps the id of the proposal, so a second call finds it closed by it. */
  async close_day(_deps, own, terms, { id }) {
    return map(await closeAgreedDay(own, id, terms), () => ({}));
  },
};

/**
 * Asks the provider whether a transfer may end so. Only a person who has other evidence fails a transfer by hand,
 * and never one that the provider calls paid or still on its way.
 * @returns what the provider says, for the trail; or PROVIDER_DISAGREES.
 */
export async function mayResolve(
  tenant: Tenant,
  { transactionId, to }: Pick<ProposalTerms['resolve_transfer'], 'transactionId' | 'to'>,
): Promise<Outcome<{ providerSays: string | null }, OperatorCode>> {
  const providerSays = await askProvider(tenant, transactionId);
  if (to === 'failed' && providerSays !== null && forbidsFailing(providerSays)) {
    const message = `The provider says that the transfer is ${providerSays}`;
    return refuse<OperatorCode>('PROVIDER_DISAGREES', { message, detail: { providerSays } });
  }
  return done({ providerSays });
}

/** What became of a decision: proposed, because it needs others, or carried out at once. */
export type Decided = { kind: 'proposed'; proposal: Proposal } | { kind: 'applied'; noted: Noted };

/** Proposes a decision where it needs others; elsewhere it is carried out. Nothing happens before the approvals. */
export async function decide<Kind extends ProposalKind>(
  deps: DecisionDeps,
  tenant: For<Kind>,
  kind: Kind,
  terms: ProposalTerms[Kind],
  operatorId: string,
): Promise<Outcome<Decided, OperatorCode>> {
  const { environment } = tenant;
  const partnerId = 'partner' in tenant ? tenant.partner.id : null;
  const id = newId();
  if (environment.allowsSimulation && !PROPOSALS[kind].inSandbox) {
    const applied = await APPLY[kind](deps, tenant, terms, { id, operatorId, isAgreed: false });
    return map(applied, (noted) => ({ kind: 'applied', noted }));
  }
  const asked = { id, kind, environment: environment.name, partnerId, terms };
  await insertProposal(deps.platform, asked, operatorId);
  const proposal = await findProposal(deps.platform, id);
  if (!proposal) throw new Error('bug: a proposal that was written is not there');
  return done({ kind: 'proposed', proposal });
}

/** A proposal as it is after a command, and what the trail says of the command. */
type Changed = Outcome<{ proposal: Proposal; noted: Noted }, OperatorCode>;

/**
 * Counts an approval; the last one that is needed carries the proposal out. The same approval again is not counted,
 * and carries out what could not be carried out before.
 * @returns the proposal as it is now, or refused: FORBIDDEN for the operator's own proposal, INVALID_STATE where it is
 *   too late, SERVICE_UNAVAILABLE when the same approval may be sent again, or for good by what carries it out.
 */
export async function approve(
  deps: DecisionDeps,
  tenant: Tenant | OwnBooks,
  proposalId: string,
  operatorId: string,
): Promise<Changed> {
  const { platform } = deps;
  const { answer, proposal } = await approveProposal(platform, proposalId, operatorId);
  if (answer === 'own_proposal') {
    return forbidden('own_proposal');
  }
  if (answer === 'too_late') return isNow(proposal);
  if (proposal.status !== 'approved') return done({ proposal, noted: aboutOf(proposal) });
  const under = { id: proposal.id, operatorId: proposal.proposedBy.id, isAgreed: true };
  // The kind says whether it has a partner, and so does its row.
  const apply = APPLY[proposal.kind] as Apply<PartnerKind>;
  const applied = await apply(deps, tenant as Tenant, proposal.terms as ProposalTerms[PartnerKind], under);
  if (applied.ok) {
    await moveProposal(platform, proposal.id, 'apply');
  } else {
    const { code } = applied.refusal;
    if (code !== 'SERVICE_UNAVAILABLE') await moveProposal(platform, proposal.id, 'refuse', code);
    return applied;
  }
  return changed(platform, proposal, applied.value);
}

/** Ends a proposal that is not approved yet; the proposer withdraws it so. @returns it, or INVALID_STATE. */
export async function reject(platform: pg.Pool, proposal: Proposal): Promise<Changed> {
  const isRejected = await moveProposal(platform, proposal.id, 'reject');
  const now = await changed(platform, proposal, {});
  return isRejected || !now.ok ? now : isNow(now.value.proposal);
}

async function changed(platform: pg.Pool, { id }: Proposal, noted: Noted): Promise<Changed> {
  const proposal = await findProposal(platform, id);
  return proposal ? done({ proposal, noted: { ...aboutOf(proposal), ...noted } }) : refuse('NOT_FOUND');
}

/** So that the trail can be read without the table of proposals. */
const aboutOf = ({ kind, environment, partnerId }: Proposal): Noted => ({ kind, environment, partnerId });

const isNow = ({ status }: Proposal): Changed =>
  refuse<OperatorCode>('INVALID_STATE', { message: `The proposal is ${status}` });
