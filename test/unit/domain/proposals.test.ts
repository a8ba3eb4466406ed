/** Proposals: their machine under every trigger, and whose approval counts (D14, D91). */
import {
  approval,
  PROPOSAL_KINDS,
  PROPOSAL_MACHINE,
  PROPOSAL_STATUSES,
  PROPOSALS,
  type ProposalStatus,
  type ProposalTrigger,
} from '../../../src/domain/proposals';
import { next, sources } from '../../../src/domain/machine';

const NOWHERE = { approve: null, apply: null, refuse: null, reject: null, expire: null };
const TABLE: Record<ProposalStatus, Record<ProposalTrigger, ProposalStatus | null>> = {
  proposed: { ...NOWHERE, approve: 'approved', reject: 'rejected', expire: 'expired' },
  approved: { ...NOWHERE, apply: 'applied', refuse: 'refused' },
  applied: NOWHERE,
  refused: NOWHERE,
  rejected: NOWHERE,
  expired: NOWHERE,
};
const TRIGGERS = Object.keys(NOWHERE) as ProposalTrigger[];

test.each(
  PROPOSAL_STATUSES.flatMap((state) =>
    TRIGGERS.map((trigger) => [state, trigger, TABLE[state][trigger]] as const),
  ),
)('%s, %s: %s', (state, trigger, after) => {
  expect(next(PROPOSAL_MACHINE, state, trigger)).toBe(after);
});

test('it is carried out only from `approved`, and every kind needs another person', () => {
  expect(sources(PROPOSAL_MACHINE, 'apply')).toEqual(['approved']);
  expect(PROPOSAL_KINDS.filter((kind) => PROPOSALS[kind].approvals < 1)).toEqual([]);
});

test.each<[string, ProposalStatus, string[], ReturnType<typeof approval>]>([
  ['bola', 'proposed', [], 'counts'],
  ['bola', 'proposed', ['chidi'], 'counts'],
  ['bola', 'proposed', ['bola'], 'given_before'],
  ['bola', 'approved', ['bola', 'chidi'], 'given_before'],
  ['bola', 'applied', ['bola', 'chidi'], 'given_before'],
  ['dayo', 'approved', ['bola', 'chidi'], 'too_late'],
  ['dayo', 'applied', ['bola', 'chidi'], 'too_late'],
  ['bola', 'rejected', [], 'too_late'],
  ['bola', 'expired', [], 'too_late'],
  ['ada', 'proposed', [], 'own_proposal'],
  ['ada', 'proposed', ['bola'], 'own_proposal'],
  ['ada', 'applied', ['bola', 'chidi'], 'own_proposal'],
])('%s on %s after %j: %s', (operator, status, approvers, answer) => {
  const approvedBy = approvers.map((id) => ({ id, name: id }));
  expect(approval({ status, proposedBy: { id: 'ada', name: 'Ada' }, approvedBy }, operator)).toBe(answer);
});
