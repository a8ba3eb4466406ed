/**
 * A partner's own compliance: status, the four steps, the sandbox's review (interface: Partner compliance;
 * D38-D40, D88-D90).
 */
import { done, map, type Outcome } from '../../domain/outcome';
import type { ComplianceAsk } from '../../domain/compliance';
import { findCompliance } from '../../db/partners/compliance';
import { dataOf } from '../../wire/answers';
import {
  agreementsSchema,
  businessSchema,
  complianceSchema,
  directorsSchema,
  readAgreements,
  readBusiness,
  readDirectors,
  readReview,
  readUseCase,
  reviewSchema,
  stepAnswerSchema,
  STEP_ANSWER,
  useCaseSchema,
  writeCompliance,
  type SubmittedDirector,
} from '../../wire/compliance';
import { reviewCompliance, submitComplianceStep } from '../../operations/partners/compliance';
import { dataAnswer, flatAnswer, type Route, type RouteDoc } from '../route';
import { both } from './sandbox';

const section = 'Partner compliance';

const status: Route = {
  method: 'GET',
  path: '/v1/partner/compliance/status',
  operation: 'getComplianceStatus',
  needs: 'look',
  doc: {
    section,
    sdk: 'compliance.status',
    summary: 'Compliance record and step completion',
    answer: { status: 200, description: 'The record', body: dataOf(complianceSchema) },
    refusals: [],
  },
  async handle(call) {
    return done(dataAnswer(call, 200, writeCompliance(await findCompliance(call.cell, call.partner.id))));
  },
};

interface Step {
  path: string;
  operation: string;
  doc: Pick<RouteDoc, 'sdk' | 'summary' | 'description' | 'body'>;
  read: (body: unknown) => Outcome<{ ask: ComplianceAsk; directors?: SubmittedDirector[] }>;
}

const step = ({ path, operation, doc, read }: Step): Route => ({
  method: 'POST',
  path: `/v1/partner/compliance/${path}`,
  operation,
  needs: 'represent',
  outlivesReset: true,
  harmlessTwice: true,
  doc: {
    section,
    ...doc,
    answer: { status: 200, description: 'The step is stored', body: stepAnswerSchema },
    refusals: ['VALIDATION_ERROR', 'COMPLIANCE_LOCKED', 'SERVICE_UNAVAILABLE'],
  },
  async handle(call) {
    const found = read(call.body);
    if (!found.ok) return found;
    const { ask, directors } = found.value;
    const stored = await submitComplianceStep(call, ask, directors);
    return map(stored, () => flatAnswer(200, STEP_ANSWER));
  },
});

const asked = (found: Outcome<ComplianceAsk>): Outcome<{ ask: ComplianceAsk }> =>
  map(found, (ask) => ({ ask }));

const steps = [
  step({
    path: 'business',
    operation: 'submitBusinessInfo',
    doc: { sdk: 'compliance.business', summary: 'Business registration', body: businessSchema },
    read: (body) => asked(readBusiness(body)),
  }),
  step({
    path: 'directors',
    operation: 'submitDirectors',
    doc: {
      sdk: 'compliance.directors',
      summary: 'Directors',
      description:
        'Replaces the list. A BVN is verified afterwards and reported by kyc.verified or kyc.failed; numbers are encrypted at rest.',
      body: directorsSchema,
    },
    read: (body) => map(readDirectors(body), (directors) => ({ ask: { kind: 'directors' }, directors })),
  }),
  step({
    path: 'agreements',
    operation: 'acceptAgreements',
    doc: {
      sdk: 'compliance.agreements',
      summary: 'Terms, AML policy and data processing agreement',
      body: agreementsSchema,
    },
    read: (body) => asked(readAgreements(body)),
  }),
  step({
    path: 'use-case',
    operation: 'submitUseCase',
    doc: {
      sdk: 'compliance.useCase',
      summary: 'Use case',
      description: 'If every other step is complete, this submits the record for review.',
      body: useCaseSchema,
    },
    read: (body) => asked(readUseCase(body)),
  }),
];

/** In sandbox the partner plays the reviewer (D90, D139). */
const review = both('/compliance/review', {
  operation: 'reviewCompliance',
  needs: 'represent',
  sandboxOnly: true,
  formByHeaderOnly: true,
  outlivesReset: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.reviewCompliance',
    summary: 'Plays the reviewer of the compliance record',
    body: reviewSchema,
    answer: { status: 200, description: 'The record after the decision', body: dataOf(complianceSchema) },
    refusals: ['SANDBOX_ONLY', 'VALIDATION_ERROR', 'INVALID_COMPLIANCE_STATE', 'SERVICE_UNAVAILABLE'],
  },
  async handle(call) {
    const found = readReview(call.body);
    if (!found.ok) return found;
    const { decision, reason } = found.value;
    const reviewed = await reviewCompliance(call, decision, reason, 'sandbox');
    return map(reviewed, (record) => dataAnswer(call, 200, writeCompliance(record)));
  },
});

export const complianceRoutes: readonly Route[] = [status, ...steps, ...review];
