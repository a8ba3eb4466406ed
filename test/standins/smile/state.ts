/** What the fake Smile ID knows and remembers. */
import type { Fault } from '../kit';

export interface SmileSettings {
  partnerId: string;
  apiKey: string;
  /** The register: whose BVN or NIN a number is. */
  people: Record<string, { first: string; last: string }>;
  /** Numbers with a code of their own, such as `1015`, whatever the register has. */
  codes: Record<string, string>;
  /** Whether a question about a job is answered that Smile ID is still at work. */
  isAtWork: boolean;
  faults: Fault[];
}

export interface SmileState {
  settings: SmileSettings;
  jobs: { jobId: string; userId: string; idType: string; number: string; result: object }[];
}

export const NEW_SMILE: SmileState = {
  settings: {
    partnerId: '2420',
    apiKey: 'fake-smile-key',
    people: { '22222222222': { first: 'Ada', last: 'Obi' } },
    codes: {},
    isAtWork: false,
    faults: [],
  },
  jobs: [],
};
