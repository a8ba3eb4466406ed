/**
 * What must be true before real money moves, as points that a command checks (`npm run golive:check`). Some points only
 * people can know, because they are in a contract or in a company's dashboard; they are confirmed by name.
 */
import type { Kobo } from './money';

/** What the check has found out. Every list names companies; null is that nobody knows. */
export interface GoLiveFacts {
  isProduction: boolean;
  /** The variables that say who serves live, where they name nobody, or the simulator. */
  unserved: readonly string[];
  /** What each company that pays out can pay, and what it needs at least. */
  floats: readonly { company: string; kobo: Kobo | null; neededKobo: Kobo }[];
  /** The companies that shall ask us before they pay, and have paid something without asking. */
  unasked: readonly string[];
  /** The companies that pay out and have not called back for a week. */
  silent: readonly string[];
  /** The companies that open accounts and have not opened one yet, as far as our books know. */
  unopened: readonly string[];
  /** The companies that take money in and have sent no signed notice of it for a week. */
  unnoticed: readonly string[];
  /** The names of the banks that no company pays to. */
  unreachedBanks: readonly string[] | null;
  /** Who bears the stamp duty of transfers to banks; `off` is that nobody has decided. */
  stampDuty: 'off' | 'absorb' | 'charge';
  /** How far the clock of this machine is from that of Postgres, in milliseconds. */
  clockOffMs: number;
  openFindings: number;
  /** How old the last reconciliation of the slowest cell is, in seconds; null before the first one. */
  reconciledSeconds: number | null;
  /** How many different people have a working token of an operator. */
  operators: number;
}

interface Point {
  /** What is asked, as one sentence. */
  asks: string;
  /** What to do where it is not so. */
  todo: string;
}
interface CheckedPoint extends Point {
  /** What is wrong; null where nothing is. */
  wrong: (facts: GoLiveFacts) => string | null;
}

const CLOCK_OFF_MAX_MS = 2_000;
const RECONCILED_WITHIN_SECONDS = 900;
const OPERATORS_MIN = 2;

const listed = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(', '));

/** The points that the command finds out by itself. */
const CHECKED_POINTS = {
  production: {
    asks: 'The process runs with the rules of production, which refuse test keys, other addresses and weak secrets',
    todo: 'Set NODE_ENV=production',
    wrong: ({ isProduction }) => (isProduction ? null : 'NODE_ENV is not production'),
  },
  companies: {
    asks: 'Real companies serve live',
    todo: 'Name companies in the variables (docs/configuration.md)',
    wrong: ({ unserved }) => listed(unserved),
  },
  float: {
    asks: 'Each company that pays out tells our balance, and it covers the reserve and the smallest transfer',
    todo: 'Top the balance up; where nobody knows it, look at the key and the address of the company',
    wrong: ({ floats }) =>
      listed(
        floats
          .filter(({ kobo, neededKobo }) => kobo === null || kobo < neededKobo)
          .map(({ company, kobo }) => `${company} (${kobo === null ? 'not known' : `${String(kobo)} kobo`})`),
      ),
  },
  approval: {
    asks: 'Each company that shall ask us before it pays has asked',
    todo: 'Enter the address for approvals at the company (docs/how-to/pay-out-through-paystack.md)',
    wrong: ({ unasked }) => listed(unasked),
  },
  callbacks: {
    asks: 'Each company that pays out has sent a signed callback within a week',
    todo: 'Enter our address for callbacks at the company, and pay a small transfer',
    wrong: ({ silent }) => listed(silent),
  },
  accounts: {
    asks: 'Each company that opens account numbers has opened one for a wallet',
    todo: 'Create a wallet whose owner is verified, and look at its workflow (docs/how-to/take-money-in.md)',
    wrong: ({ unopened }) => listed(unopened),
  },
  incoming: {
    asks: 'Each company that takes money in has sent a signed notice of it within a week',
    todo: 'Enter our address for callbacks at the company, and pay a small amount to an account number',
    wrong: ({ unnoticed }) => listed(unnoticed),
  },
  banks: {
    asks: 'Each bank of our list is paid to by a company',
    todo: 'Correct the codes in BANKS_FILE, or take the bank out of it',
    wrong: ({ unreachedBanks }) =>
      unreachedBanks === null ? 'a company did not tell its banks' : listed(unreachedBanks),
  },
  'stamp-duty': {
    asks: 'It is decided who bears the stamp duty of transfers to banks',
    todo: 'Set STAMP_DUTY to charge, or to absorb where we bear NGN 50 of each transfer of NGN 10,000 and more',
    wrong: ({ stampDuty }) => (stampDuty === 'off' ? 'STAMP_DUTY is off' : null),
  },
  clock: {
    asks: 'The clock of this machine agrees with that of Postgres to two seconds',
    todo: 'Let both take their time from the same servers (NTP)',
    wrong: ({ clockOffMs }) =>
      Math.abs(clockOffMs) <= CLOCK_OFF_MAX_MS ? null : `${String(clockOffMs)} ms apart`,
  },
  reconciliation: {
    asks: 'Live was reconciled within a quarter of an hour, and has no open finding',
    todo: 'Close the findings (docs/runbook.md), and look whether a worker runs',
    wrong: ({ openFindings, reconciledSeconds }) => {
      if (reconciledSeconds === null || reconciledSeconds > RECONCILED_WITHIN_SECONDS) {
        return 'the last reconciliation is too old';
      }
      return openFindings === 0 ? null : `${String(openFindings)} open`;
    },
  },
  operators: {
    asks: 'At least two people are operators',
    todo: 'Make and admit another one (docs/operators.md)',
    wrong: ({ operators }) => (operators >= OPERATORS_MIN ? null : `${String(operators)} of 2`),
  },
} as const satisfies Record<string, CheckedPoint>;

/** The points that people confirm, because nothing in our reach shows them. */
export const CONFIRMED_POINTS = {
  consent: {
    asks: 'Each company that opens accounts has agreed in writing that wallets of customers are behind them',
    todo: 'Ask the company',
  },
  terms: {
    asks: 'Smallest transfer, fees, stamp duty and calls a minute of each company are those of the contract',
    todo: 'Set the variables ..._MIN_KOBO, ..._COST_MAX_KOBO, ..._TAKES_DUTY and ..._CALLS_PER_MINUTE',
  },
  'failed-fee': {
    asks: 'It is known of each company whether it keeps its fee when a transfer fails',
    todo: 'Ask the company, and compare with its statement',
  },
  'otp-off': {
    asks: 'No company wants a one-time password for transfers',
    todo: 'Switch it off in the dashboard of the company',
  },
  addresses: {
    asks: 'Each company that has a list of allowed addresses has those of our servers',
    todo: 'Enter them in the dashboard of the company',
  },
  tls: {
    asks: 'The API is reached by TLS alone, with a certificate that is renewed by itself',
    todo: 'Configure the load balancer (docs/install.md)',
  },
  'restore-tried': {
    asks: 'A backup was restored as a test, and the platform ran on it',
    todo: 'Follow docs/how-to/restore.md',
  },
  penny: {
    asks: 'The smallest transfer was really paid through each company, and a payment really came in',
    todo: 'Send it from a wallet of your own partner to an account of your own, and look at both statements',
  },
} as const satisfies Record<string, Point>;

export type PointName = keyof typeof CHECKED_POINTS | keyof typeof CONFIRMED_POINTS;

/** One line of the check. */
export interface JudgedPoint {
  name: PointName;
  isMet: boolean;
  /** What was asked; where it is not met, what is wrong and what to do. */
  says: string;
}

/**
 * Judges every point.
 * @param confirmed the names of the points that people have confirmed.
 */
export function judgeGoLive(facts: GoLiveFacts, confirmed: readonly string[]): JudgedPoint[] {
  const checked = entriesOf(CHECKED_POINTS).map(([name, { asks, todo, wrong }]): JudgedPoint => {
    const found = wrong(facts);
    return { name, isMet: found === null, says: found === null ? asks : `${asks}: ${found}. ${todo}` };
  });
  const told = entriesOf(CONFIRMED_POINTS).map(([name, { asks, todo }]): JudgedPoint => {
    const isMet = confirmed.includes(name);
    return { name, isMet, says: isMet ? asks : `${asks}: nobody has confirmed it. ${todo}` };
  });
  return [...checked, ...told];
}

const entriesOf = <Name extends string, Value>(table: Readonly<Record<Name, Value>>): [Name, Value][] =>
  Object.entries(table) as [Name, Value][];
