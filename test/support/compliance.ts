/** The compliance steps of a partner, for tests that begin with them. */
import type { Calls, Json } from './calls';

/** A valid body for every step, in the order in which they are published. */
export const STEPS = {
  business: { cac_number: 'RC123456', business_type: 'llc' },
  directors: {
    directors: [
      { full_name: 'Ada Obi', role: 'CEO' },
      { full_name: 'Bola Ade', role: 'CTO', nin: '12345678901' },
    ],
  },
  agreements: { terms: true, aml_policy: true, dpa: true },
  'use-case': { description: 'Wallets for the market women of Aba.' },
};
export type Step = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as Step[];

/** The published record of a partner that has submitted nothing. */
export const NOTHING_SUBMITTED = {
  overall_status: 'incomplete',
  cac_number: '',
  business_type: '',
  terms_version: '',
  rejection_reason: null,
  steps: { business_info: false, directors: false, agreements: false, use_case: false },
  directors_submitted_at: null,
  terms_accepted_at: null,
  aml_policy_accepted_at: null,
  dpa_accepted_at: null,
  use_case_description: '',
};

/** Submits a step with its valid body, unless another body is given. */
export const submit = (partner: Pick<Calls, 'post'>, step: Step, body: unknown = STEPS[step]) =>
  partner.post(`/v1/partner/compliance/${step}`, body);

/** Submits all steps except those left out. @throws when a step is not accepted. */
export async function submitAll(partner: Pick<Calls, 'post'>, ...leftOut: Step[]): Promise<void> {
  for (const step of STEP_NAMES) {
    if (leftOut.includes(step)) continue;
    const { status, text } = await submit(partner, step);
    if (status !== 200 || text !== '{"status":"ok"}')
      throw new Error(`${step} was answered ${status} ${text}`);
  }
}

export const review = (partner: Pick<Calls, 'post'>, decision: string, reason?: string) =>
  partner.post('/v1/sandbox/compliance/review', { decision, reason });

export const complianceOf = async (partner: Pick<Calls, 'get'>): Promise<Json> =>
  (await partner.get('/v1/partner/compliance/status')).body.data;
