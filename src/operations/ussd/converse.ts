/** The dialogue with a payer's phone: one gateway message in, one screen out (D70, D73, D76, D162). */
import { next } from '../../domain/machine';
import { PIN_ATTEMPTS_MAX } from '../../domain/pins';
import { isOpen, USSD_MACHINE, type UssdSession, type UssdStatus, type UssdTrigger } from '../../domain/ussd';
import { readDialled, readSteps, type DialogueStep } from '../../domain/ussd-dialogue';
import { SCREENS, screenOf } from '../../domain/ussd-screens';
import {
  bindGateway,
  sessionOfCode,
  sessionOfGateway,
  sessionsOfPhone,
  type DialledSession,
} from '../../db/payments/dial-codes';
import { findPinUnderWay } from '../../db/payments/ussd-attempts';
import { UnavailableError } from '../../runtime/unavailable';
import { findUssdSession } from '../../db/payments/ussd-sessions';
import type { Environment, OpenCell } from '../../runtime/environment';
import type { GatewayRequest } from '../../wire/ussd-gateway';
import type { Config } from '../../runtime/config';
import type { Pins } from '../../secrets/pins';
import { stateAfter } from './messages';
import { attemptPin, type Attempt } from './pin-attempt';

/**
 * What the payer is told if the dialogue fails, or takes longer than its gateway waits. It follows the dialogue, because what
 * was begun goes on: nobody is told that nothing happens who may be debited afterwards.
 */
export interface Late {
  screen: string;
  isTold: boolean;
}

interface Dialogue {
  config: Config;
  pins: Pins;
  environment: Environment;
  requestId: string;
  /** The only partner whose sessions are found; null for a gateway, whose payers are everybody's. */
  partnerId: string | null;
  late: Late;
}

interface Found {
  cell: OpenCell;
  session: UssdSession;
}

/**
 * @returns the screen; a message that comes twice gets the same one and changes nothing the second time.
 * @throws UnavailableError when Temporal or Postgres is away.
 */
export async function converse(dialogue: Dialogue, request: GatewayRequest): Promise<string> {
  const { code, inputs } = readDialled(dialogue.config.USSD_SERVICE_CODE, request);
  const found = await find(dialogue, code, request);
  if (!found) return SCREENS.unknownCode();
  const { phone } = found.session;
  if (phone !== null && phone !== request.phone) return SCREENS.otherPhone();

  const step = readSteps(inputs);
  // A new PIN finds the attempt that decides when it is to be counted.
  if (found.session.status === 'pin_entry' && step.kind !== 'pin') {
    const attempt = await findPinUnderWay(found.cell, found.session.id);
    if (attempt?.outcome) return screenOfAttempt(dialogue, found, { ...attempt, outcome: attempt.outcome });
    if (attempt) return SCREENS.checking();
  }
  if (isOpen(found.session.status)) {
    // A PIN that was counted in time may be sent again after the deadline. Everything else is too late.
    if (found.session.overdue && step.kind !== 'pin') return SCREENS.expired();
    found.session = await bringTo(dialogue, found, step);
  }
  if (step.kind === 'pin') return screenOfPin(dialogue, found, { ...step, ...request });
  if (!isOpen(found.session.status)) return screenOf(found.session);
  return step.kind === 'ask_pin' ? SCREENS.pin() : SCREENS.menu(found.session);
}

/**
 * Finds the session by its code. Without a code it is found by the dialogue, or else by the phone; a session that
 * was found by the phone is bound to the dialogue (D76).
 */
async function find(
  dialogue: Dialogue,
  code: string | null,
  { gatewaySession, phone }: GatewayRequest,
): Promise<Found | null> {
  const { pool, directory } = dialogue.environment;
  if (code !== null) return load(dialogue, await sessionOfCode(pool, directory, code));
  const bound = await sessionOfGateway(pool, directory, gatewaySession);
  if (bound) return load(dialogue, bound);
  let underWay: Found | null = null;
  for (const latest of await sessionsOfPhone(pool, directory, phone)) {
    const found = await load(dialogue, latest);
    if (found?.session.status === 'processing') underWay ??= found;
    if (!found || !isOpen(found.session.status) || found.session.overdue) continue;
    await bindGateway(pool, directory, found.session.id, gatewaySession);
    return found;
  }
  return underWay;
}

async function load(
  { environment, partnerId }: Dialogue,
  dialled: DialledSession | null,
): Promise<Found | null> {
  if (dialled && partnerId !== null && dialled.partnerId !== partnerId) return null;
  const owner = dialled && (await environment.findPartner(dialled.partnerId));
  if (!dialled || !owner) return null;
  const session = await findUssdSession(owner.cell, dialled.partnerId, dialled.sessionId);
  return session && { cell: owner.cell, session };
}

/**
 * The moves that must have happened before a step can be answered: all of them, if the payer dialled everything at
 * once.
 */
const LEADING_TO: Readonly<Record<DialogueStep['kind'], readonly ('dial' | 'confirm' | 'cancel')[]>> = {
  menu: ['dial'],
  ask_pin: ['dial', 'confirm'],
  pin: ['dial', 'confirm'],
  cancel: ['cancel'],
};

async function bringTo(dialogue: Dialogue, found: Found, step: DialogueStep): Promise<UssdSession> {
  let { session } = found;
  for (const kind of LEADING_TO[step.kind]) {
    if (!isPossible(session.status, kind)) continue;
    const { environment, requestId } = dialogue;
    const state = await stateAfter(environment, found.cell, session, { kind }, requestId);
    session = { ...session, ...state };
  }
  return session;
}

const isPossible = (status: UssdStatus, trigger: UssdTrigger): boolean =>
  next(USSD_MACHINE, status, trigger) !== null;

async function screenOfPin(
  dialogue: Dialogue,
  { cell, session }: Found,
  entered: { pin: string; gatewaySession: string; hop: number },
): Promise<string> {
  const { pins, environment, late } = dialogue;
  const check = { pins, hasSandboxPin: environment.allowsSimulation };
  const attempt = await attemptPin(check, cell, session, entered, () => {
    if (late.isTold) throw new UnavailableError('the payer was told that the service is unavailable');
    late.screen = SCREENS.checking();
  });
  if (attempt) return screenOfAttempt(dialogue, { cell, session }, attempt);
  const now = (await findUssdSession(cell, session.partnerId, session.id)) ?? session;
  return now.overdue && isOpen(now.status) ? SCREENS.expired() : screenOf(now);
}

/** Has the workflow carry an attempt out, which it does once, and shows what became of it. */
async function screenOfAttempt(
  { environment, requestId, late }: Dialogue,
  { cell, session }: Found,
  { id: attemptId, number, outcome }: Attempt,
): Promise<string> {
  // A PIN that was counted in time and is right pays as soon as a worker runs; any other one never does.
  late.screen = outcome === 'pin_accepted' ? SCREENS.processing(session) : SCREENS.unavailable();
  try {
    const state = await stateAfter(environment, cell, session, { kind: 'pin', attemptId }, requestId);
    return isOpen(state.status)
      ? SCREENS.wrongPin(PIN_ATTEMPTS_MAX - number)
      : screenOf({ ...session, ...state });
  } catch (error) {
    if (error instanceof UnavailableError && outcome === 'pin_accepted') return late.screen;
    throw error;
  }
}
