/** The machine of adjustments: every state under every trigger, and whose approval counts (D14, D91). */
import {
  ADJUSTMENT_MACHINE,
  ADJUSTMENT_STATUSES,
  adjustmentOpening,
  approval,
  type Adjustment,
  type AdjustmentStatus,
  type AdjustmentTrigger,
} from '../../../src/domain/adjustments';
import { next, sources } from '../../../src/domain/machine';

const NOWHERE = { approve: null, post: null, refuse: null, reject: null };
const TABLE: Record<AdjustmentStatus, Record<AdjustmentTrigger, AdjustmentStatus | null>> = {
  proposed: { ...NOWHERE, approve: 'seconded', reject: 'rejected' },
  seconded: { ...NOWHERE, approve: 'approved', reject: 'rejected' },
  approved: { ...NOWHERE, post: 'posted', refuse: 'refused' },
  posted: NOWHERE,
  refused: NOWHERE,
  rejected: NOWHERE,
};
const TRIGGERS = Object.keys(NOWHERE) as AdjustmentTrigger[];

test.each(
  ADJUSTMENT_STATUSES.flatMap((state) =>
    TRIGGERS.map((trigger) => [state, trigger, TABLE[state][trigger]] as const),
  ),
)('%s, %s: %s', (state, trigger, after) => {
  expect(next(ADJUSTMENT_MACHINE, state, trigger)).toBe(after);
});

test('it is posted only from `approved`, which takes two approvals', () => {
  expect(sources(ADJUSTMENT_MACHINE, 'post')).toEqual(['approved']);
  const seconded = next(ADJUSTMENT_MACHINE, 'proposed', 'approve');
  expect(next(ADJUSTMENT_MACHINE, seconded!, 'approve')).toBe('approved');
});

const adjustment = (status: AdjustmentStatus, approvers: string[] = []): Adjustment => ({
  id: 'a1',
  partnerId: 'p1',
  walletId: 'w1',
  direction: 'credit',
  amountKobo: 5,
  reason: 'note',
  status,
  refusal: null,
  proposedBy: { id: 'ada', name: 'Ada' },
  approvedBy: approvers.map((id) => ({ id, name: id })),
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

test.each<[string, AdjustmentStatus, string[], ReturnType<typeof approval>]>([
  ['bola', 'proposed', [], 'counts'],
  ['bola', 'seconded', ['chidi'], 'counts'],
  ['bola', 'seconded', ['bola'], 'given_before'],
  ['bola', 'approved', ['bola', 'chidi'], 'given_before'],
  ['bola', 'posted', ['bola', 'chidi'], 'given_before'],
  ['dayo', 'approved', ['bola', 'chidi'], 'too_late'],
  ['dayo', 'posted', ['bola', 'chidi'], 'too_late'],
  ['bola', 'rejected', [], 'too_late'],
  ['ada', 'proposed', [], 'own_proposal'],
  ['ada', 'seconded', ['bola'], 'own_proposal'],
  ['ada', 'posted', ['bola', 'chidi'], 'own_proposal'],
])('%s on %s after %j: %s', (operator, status, approvers, answer) => {
  expect(approval(adjustment(status, approvers), operator)).toBe(answer);
});

test.each([
  ['credit', { type: 'wallet_credit', destWalletId: 'w1' }],
  ['debit', { type: 'wallet_debit', sourceWalletId: 'w1' }],
] as const)('a %s is one movement under its own id, without the note', (direction, movement) => {
  const opening = adjustmentOpening({ ...adjustment('approved'), direction });
  expect(opening).toMatchObject({ ...movement, transactionId: 'a1', reference: 'adj_a1', amountKobo: 5 });
  expect(JSON.stringify(opening)).not.toContain('note');
});
