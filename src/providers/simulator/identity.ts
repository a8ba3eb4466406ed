/**
 * The simulated identity bureau: every number belongs to somebody, except for a few reserved ones (D83). It gives
 * no names and stores nothing: its answer follows from the number and from the time since the number was
 * submitted.
 */
import type { VerificationType } from '../../domain/verifications';
import type { IdentityAnswer, IdentityBureau, IdentityOrder } from '../port';
import { spread } from './spread';

export interface IdentitySimulatorOptions {
  /** [shortest, longest] time until a number has its result. */
  kycMs: readonly [number, number];
  /** How long the number that nobody can look up stays pending. */
  kycUnavailableMs: number;
}

const FOUND: IdentityAnswer = {
  outcome: 'found',
  record: { name: null, nameFits: null, watchListed: false },
};

/** Numbers with a result of their own. There are none for NINs (D36). */
const RESERVED: Record<VerificationType, Readonly<Record<string, IdentityAnswer>>> = {
  bvn: {
    '00000000000': { outcome: 'not_found' },
    '00000000001': { outcome: 'not_found' },
    '00000000002': { outcome: 'found', record: { name: null, nameFits: false, watchListed: false } },
    '00000000003': { outcome: 'unavailable' },
  },
  nin: {},
};

export function createIdentitySimulator(options: IdentitySimulatorOptions): IdentityBureau {
  const delayMs = (order: IdentityOrder, answer: IdentityAnswer): number =>
    answer.outcome === 'unavailable' ? options.kycUnavailableMs : spread(order.verificationId, options.kycMs);
  return {
    lookUp(order) {
      const answer = RESERVED[order.type][order.number] ?? FOUND;
      const dueMs = order.submittedAt.getTime() + delayMs(order, answer) - Date.now();
      return Promise.resolve(dueMs > 0 ? { outcome: 'pending', pollAfterMs: dueMs } : answer);
    },
  };
}
