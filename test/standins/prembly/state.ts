/** What the fake Prembly knows and remembers. */
import type { Fault } from '../kit';

interface PremblySettings {
  apiKey: string;
  /** The register: whose BVN or NIN a number is. */
  people: Record<string, { first: string; middle?: string; last: string; watchListed?: string }>;
  /** Numbers with a code of their own, such as `02`, whatever the register has. */
  codes: Record<string, string>;
  faults: Fault[];
}

export interface PremblyState {
  settings: PremblySettings;
  /** One number for each look-up. */
  lookUps: string[];
}

export const NEW_PREMBLY: PremblyState = {
  settings: {
    apiKey: 'fake-prembly-key',
    people: { '22222222222': { first: 'ADA', middle: 'NGOZI', last: 'OBI', watchListed: 'NO' } },
    codes: {},
    faults: [],
  },
  lookUps: [],
};
