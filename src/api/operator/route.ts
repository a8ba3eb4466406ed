/**
 * What an operator's operation is: one row of the table with its path, what it reads and its handler. A command
 * (POST) leaves a row in the audit trail before it happens and another one after it. A view that shows people's data
 * leaves one row, before it is answered.
 */
import type pg from 'pg';
import { done, map, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { z } from 'zod';
import { OPERATOR_REFUSALS, type Operator, type OperatorCode } from '../../domain/operators';
import { ENVIRONMENTS, type EnvironmentName, type Partner } from '../../domain/partners';
import { REFUSALS, type Refusal } from '../../domain/refusals';
import type { Environment, OpenCell } from '../../runtime/environment';
import { canonicalId, type IdKind } from '../../wire/ids';
import type { Decided } from '../../operations/operators/decisions';
import type { Tenant } from '../../operations/tenant';
import { peopleQuery, writeProposal } from '../../wire/operators';
import { noQuery } from '../../wire/pages';
import { dataAnswer, type Answer } from '../route';
import type { Services } from '../services';

/** @typeParam Query what the query of a view was read as. */
export interface OperatorCall<Query = unknown> {
  services: Services;
  /** `platform` under the operators' own role. */
  platform: pg.Pool;
  operator: Operator;
  requestId: string;
  params: Record<string, string>;
  query: Query;
}

/** The answer, and what the last row of the trail says beside its status. */
export type Served = Outcome<Answer & { noted?: Record<string, unknown> }, OperatorCode>;

export interface OperatorRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Its name in the trail and in the metrics. */
  action: string;
  /** What it does. docs/operators.md has the same sentence. */
  summary: string;
  /** Why one person may do it alone; null where another one approves it, and for what only reads. docs/operators.md has it. */
  alone: string | null;
  /** Reads the body of a command. */
  read: (body: unknown) => Outcome<object>;
  /** The parameters of a view; any other is refused (D170). */
  query: z.ZodObject;
  /** It shows data of customers, directors or owners: the reader says why, and the trail keeps who and why. */
  showsPeople: boolean;
  /** Its answer holds such data, a command's too, so a person may do it only so often in an hour. */
  countsAsReading: boolean;
  handle: (call: OperatorCall<never>, body: never) => Promise<Served>;
}

const nothing = (): Outcome<object> => done({});

/** A row that only reads. */
export const view = (
  path: string,
  action: string,
  summary: string,
  handle: (call: OperatorCall, body: object) => Promise<Served>,
): OperatorRoute => list(path, action, summary, noQuery, handle);

/** A row that shows people's data. The query says why it is read. */
export const peopleView = (
  path: string,
  action: string,
  summary: string,
  handle: (call: OperatorCall, body: object) => Promise<Served>,
): OperatorRoute => ({
  ...list(path, action, summary, peopleQuery, handle),
  showsPeople: true,
  countsAsReading: true,
});

/** A row that reads by a query. */
export const list = <Query extends z.ZodObject>(
  path: string,
  action: string,
  summary: string,
  query: Query,
  handle: (call: OperatorCall<z.infer<Query>>, body: object) => Promise<Served>,
): OperatorRoute => ({
  method: 'GET',
  path,
  action,
  summary,
  alone: null,
  read: nothing,
  query,
  showsPeople: false,
  countsAsReading: false,
  handle,
});

/** A row that changes something. */
export const command = <Body extends object>(
  path: string,
  action: string,
  summary: string,
  alone: string | null,
  read: (body: unknown) => Outcome<Body>,
  handle: (call: OperatorCall, body: Body) => Promise<Served>,
): OperatorRoute => ({
  method: 'POST',
  path,
  action,
  summary,
  alone,
  read,
  query: noQuery,
  showsPeople: false,
  countsAsReading: false,
  handle,
});

/** A call about one environment. */
export type EnvironmentCall<Query = unknown> = OperatorCall<Query> & { environment: Environment };
/** A call about one partner in one environment. Both together determine the cell (R1). */
export type PartnerCall = EnvironmentCall & { partner: Partner; cell: OpenCell };

/** Finds the environment that the path names. Another name is refused. */
export const inEnvironment =
  <Body, Query>(handle: (call: EnvironmentCall<Query>, body: Body) => Promise<Served>) =>
  async (call: OperatorCall<Query>, body: Body): Promise<Served> => {
    const environment = Object.values(call.services.environments).find(
      ({ name }) => name === call.params.environment,
    );
    return environment ? handle({ ...call, environment }, body) : refuse('NOT_FOUND');
  };

/** What belongs to a partner as a whole is decided where live is (`findInLive`). */
const OF_WHOLE_PARTNERS = /^\/ops\/(?:partners|legal-holds)(?:\/|$)/;

/**
 * Refuses an operation about an environment that this process does not serve, before anything is looked up: the books of the
 * other one are not open here. @returns NOT_SERVED_HERE, or null.
 */
export function servedElsewhere(
  { environments }: Services,
  { path }: OperatorRoute,
  params: Record<string, string>,
): Refused<OperatorCode> | null {
  const about = OF_WHOLE_PARTNERS.test(path) ? 'live' : params.environment;
  const name = ENVIRONMENTS.find((one) => one === about);
  return name === undefined || environments[name] ? null : notServedHere(name);
}

export const notServedHere = (name: EnvironmentName): Refused<OperatorCode> =>
  refuse<OperatorCode>('NOT_SERVED_HERE', {
    message: `This process does not serve ${name}: ask the operator port of an API that does`,
  });

/** Finds the partner that the path names. */
export const ofPartner = <Body>(handle: (call: PartnerCall, body: Body) => Promise<Served>) =>
  inEnvironment(async (call, body: Body) => {
    const id = idOf(call, 'partner_id');
    const found = id && (await call.environment.findPartner(id));
    return found ? handle({ ...call, ...found }, body) : refuse('NOT_FOUND');
  });

/** The partner in live, where what belongs to the partner as a whole is decided; null if there is none. */
export async function findInLive({ services }: OperatorCall, partnerId: string): Promise<Tenant | null> {
  const environment = Object.values(services.environments).find((one) => !one.allowsSimulation);
  const found = await environment?.findPartner(partnerId);
  return environment && found ? { environment, ...found } : null;
}

/** The kinds of ids that have a prefix of their own, by the name of the path parameter (D173). */
const KINDS: Readonly<Record<string, IdKind>> = { wallet_id: 'wallet', transaction_id: 'transaction' };

/**
 * What a command that may need others is answered: 202 with the proposal, or else what `show` gives once it is
 * carried out.
 */
export async function decided(
  call: OperatorCall,
  outcome: Outcome<Decided, OperatorCode>,
  show: (noted: Record<string, unknown>) => Promise<Served> = () =>
    Promise.reject(new Error('bug: this decision always needs others')),
): Promise<Served> {
  if (!outcome.ok) return outcome;
  if (outcome.value.kind === 'proposed') {
    const { proposal } = outcome.value;
    return done({ ...dataAnswer(call, 202, writeProposal(proposal)), noted: { proposalId: proposal.id } });
  }
  const { noted } = outcome.value;
  return map(await show(noted), (answer) => ({ ...answer, noted }));
}

/** The id in the path in its canonical form, or null if the text is no id. */
export const idOf = (call: OperatorCall, name: string): string | null =>
  canonicalId(call.params[name] ?? '', KINDS[name] ?? 'other');

const RULES = { ...REFUSALS, ...OPERATOR_REFUSALS };

export const statusOf = ({ code }: Refusal<OperatorCode>): number => RULES[code].status;
export const messageOf = ({ code, message }: Refusal<OperatorCode>): string => message ?? RULES[code].message;
