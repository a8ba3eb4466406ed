/**
 * Outcomes that a bank transfer in the sandbox can be asked for, by a header or by the account it goes to (D206). What was
 * asked is kept with the transfer, so that the simulator needs no memory of its own (R21).
 */
import { isSandboxMfb } from './banks';
import { outcomeOfNipCode } from './nip';

/** What the text after the colon is. */
type Argument = 'seconds' | 'code' | null;

interface SimulatedCallback {
  outcome: 'success' | 'failed' | 'reversed';
  times: number;
}

interface ScenarioRow {
  argument: Argument;
  /** The ending of an account at another bank that asks for it, and the argument that it then has. */
  ending: { digits: string; argument: string | null } | null;
  /** What the bank says by itself of an order that it has paid, in a signed callback, and how often that comes. */
  callback?: SimulatedCallback;
  /** What the transfer meets, for whoever reads the list. */
  meets: string;
}

const SANDBOX_SCENARIOS = {
  success_after: { argument: 'seconds', ending: null, meets: 'It is completed after so many seconds.' },
  fail: {
    argument: 'code',
    ending: null,
    meets: 'It fails with this response code of NIP, and the money is given back.',
  },
  unknown_then_success: {
    argument: 'seconds',
    ending: { digits: '0909', argument: '5' },
    meets:
      'The order is not answered. The bank does not know until so many seconds later; then it says that it has paid.',
  },
  unknown_then_fail: {
    argument: 'seconds',
    ending: { digits: '0808', argument: '5' },
    meets:
      'The order is not answered. The bank does not know until so many seconds later; then it says that it has not paid.',
  },
  returned: {
    argument: 'seconds',
    ending: { digits: '0505', argument: '5' },
    callback: { outcome: 'reversed', times: 1 },
    meets:
      'It is completed. So many seconds after it was accepted the bank sends the money back and says so, and the transfer is reversed. Close the wallet before, and the reversal is pending until an operator has found a wallet for the money.',
  },
  callback_twice: {
    argument: null,
    ending: { digits: '0606', argument: null },
    callback: { outcome: 'success', times: 2 },
    meets:
      'The bank says in a callback that it has paid, and sends the same callback twice. It is completed once.',
  },
  callback_contradicts: {
    argument: null,
    ending: { digits: '0707', argument: null },
    callback: { outcome: 'failed', times: 1 },
    meets:
      'The bank says in a callback that it has not paid, and when it is asked, that it has. The answer counts: it is completed.',
  },
  bank_down: {
    argument: 'seconds',
    ending: null,
    meets:
      'For so many seconds the bank tells no name and takes no order. Then the transfer goes its usual way.',
  },
} as const satisfies Record<string, ScenarioRow>;

export type ScenarioName = keyof typeof SANDBOX_SCENARIOS;

/** The longest time of a scenario: whoever waits for one is not to forget what it waits for. */
export const SCENARIO_SECONDS_MAX = 300;

export interface Scenario {
  name: ScenarioName;
  /** 0 for a scenario without one. */
  ms: number;
  /** The response code of NIP; null for a scenario without one. */
  code: string | null;
}

const ROWS: [ScenarioName, ScenarioRow][] = Object.entries(SANDBOX_SCENARIOS) as [
  ScenarioName,
  ScenarioRow,
][];

/** Reads `success_after:30`. @returns null for a text that names no scenario. */
export function readScenario(text: string): Scenario | null {
  const [, name, , given] = /^([a-z_]+)(:([A-Z0-9]{1,3}))?$/.exec(text) ?? [];
  const row = ROWS.find(([known]) => known === name);
  if (!row) return null;
  const [known, { argument }] = row;
  if (argument === null) return given === undefined ? { name: known, ms: 0, code: null } : null;
  if (given === undefined) return null;
  if (argument === 'code') {
    return outcomeOfNipCode(given) === 'failed' ? { name: known, ms: 0, code: given } : null;
  }
  const seconds = /^\d+$/.test(given) ? Number(given) : NaN;
  return seconds <= SCENARIO_SECONDS_MAX ? { name: known, ms: seconds * 1_000, code: null } : null;
}

/** What an account asks for by its ending; null for most, and for every account of our own MFB. */
export function scenarioOfAccount(bankCode: string, accountNumber: string): string | null {
  if (isSandboxMfb(bankCode)) return null;
  for (const [name, { ending }] of ROWS) {
    if (ending && accountNumber.endsWith(ending.digits)) return scenarioText(name, ending.argument);
  }
  return null;
}

export const scenarioText = (name: ScenarioName, argument: string | null): string =>
  argument === null ? name : `${name}:${argument}`;

/** What the bank says by itself of a transfer with this scenario; null where it waits to be asked. */
export const callbackOf = (scenario: Scenario | null): SimulatedCallback | null =>
  scenario && ((SANDBOX_SCENARIOS[scenario.name] as ScenarioRow).callback ?? null);

/** The same for a scenario as it is kept with its transfer. */
export const keptCallbackOf = (scenario: string | null): SimulatedCallback | null =>
  scenario === null ? null : callbackOf(readScenario(scenario));

/** All scenarios, as they are listed. */
export const scenarioRows = (): (ScenarioRow & { name: ScenarioName })[] =>
  ROWS.map(([name, row]) => ({ name, ...row }));
