/** USSD payments: initiate, show, the callbacks of the gateway, and the sandbox's simulation (D69-D76, D34). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { findSessionAsTold } from '../../db/payments/ussd-moves';
import { listUssdSessions } from '../../db/payments/ussd-sessions';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import { SCREENS } from '../../domain/ussd-screens';
import { converse, type Late } from '../../operations/ussd/converse';
import { openSession } from '../../operations/ussd/open-session';
import { wholeMessage } from '../../operations/ussd/whole-message';
import { simulateUssd } from '../../operations/ussd/simulate';
import type { Environment } from '../../runtime/environment';
import { dataOf, pageOf } from '../../wire/answers';
import {
  GATEWAY_DIALECTS,
  gatewayForm,
  hollatagsAnswer,
  hollatagsQuery,
  type GatewayMessage,
  type GatewayName,
} from '../../wire/ussd-gateway';
import {
  dialAnswer,
  dialBody,
  readDial,
  readSessionId,
  readUssdInitiation,
  readUssdSimulation,
  ussdInitiationBody,
  ussdQuery,
  ussdSession,
  ussdSimulated,
  ussdSimulationBody,
  ussdStartedAnswer,
  writeDial,
  writeUssdSession,
  writeUssdSimulated,
  writeUssdStarted,
} from '../../wire/ussd';
import { usedKey } from '../fingerprint';
import { BY_TIME, pageAnswer } from '../page';
import { namingIgnored } from '../../wire/ignored-fields';
import {
  dataAnswer,
  flatAnswer,
  reading,
  replyOf,
  type Answer,
  type OpenCall,
  type OpenRoute,
  type Route,
} from '../route';
import type { Services } from '../services';

/** The session exists from its commit on. Funds are checked when the code is dialled, not now (D73). */
const initiate: Route = {
  method: 'POST',
  path: '/v1/payments/ussd/initiate',
  operation: 'initiateUssd',
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  writesLater: () => 1,
  doc: {
    section: 'Payments',
    sdk: 'ussd.initiate',
    summary: 'Initiate a USSD payment',
    description:
      'The payer dials the code within three minutes and confirms with the wallet PIN. Without ' +
      'merchant_wallet_id the partner’s settlement wallet is paid.',
    body: ussdInitiationBody,
    answer: { status: 200, description: 'The code to dial', body: ussdStartedAnswer },
    refusals: [
      'AMOUNT_TOO_LOW',
      'SAME_WALLET_TRANSFER',
      'DUPLICATE_REFERENCE',
      'WALLET_NOT_FOUND',
      'WALLET_CLOSED',
      'WALLET_FROZEN',
      'WALLET_NOT_ACTIVE',
    ],
  },
  async handle(call) {
    const read = readUssdInitiation(call.body, call.form);
    if (!read.ok) return read;
    const { USSD_SERVICE_CODE: serviceCode } = call.services.config;
    const opened = await openSession(call.services, call, read.value, {
      key: usedKey(call, 'initiateUssd', read.value),
      write: (session) => {
        const { status, body } = flatAnswer(200, writeUssdStarted(session, serviceCode, call));
        return { status, body: namingIgnored(body, call.ignored) };
      },
    });
    return replyOf(opened);
  },
};

/** Reads from Postgres and moves nothing, because only the session's workflow moves a session (R38). */
const get: Route = {
  method: 'GET',
  path: '/v1/payments/ussd/:sessionId',
  operation: 'getUssdSession',
  needs: 'look',
  doc: {
    section: 'Payments',
    sdk: 'ussd.get',
    summary: 'Get a USSD session',
    answer: { status: 200, description: 'The session as it is now', body: dataOf(ussdSession) },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const id = readSessionId(call.params.sessionId ?? '');
    const session = id && (await findSessionAsTold(call.cell, call.partner.id, id));
    if (!session) return refuse('NOT_FOUND');
    return done(dataAnswer(call, 200, writeUssdSession(session, call.services.config.USSD_SERVICE_CODE)));
  },
};

const list = reading({
  method: 'GET',
  path: '/v1/payments/ussd',
  operation: 'listUssdSessions',
  needs: 'look',
  doc: {
    section: 'Payments',
    sdk: 'ussd.list',
    summary: 'List the USSD sessions',
    description:
      'Newest first. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.',
    query: ussdQuery,
    answer: { status: 200, description: 'A page of sessions', body: pageOf(ussdSession) },
    refusals: [],
  },
  async handle(call) {
    const { wallet_id: walletId = null, status = null } = call.query;
    const filter = { walletId, status };
    return pageAnswer(call, {
      name: `ussd/${call.environment.name}/${call.partner.id}/${JSON.stringify(filter)}`,
      order: BY_TIME,
      find: (page) => listUssdSessions(call.cell, call.partner.id, filter, page),
      write: (session) => writeUssdSession(session, call.services.config.USSD_SERVICE_CODE),
    });
  },
});

/** Stands in for the gateway: the dialogue of the real callback, without its secret (D199). */
const dial: Omit<Route, 'path'> = {
  method: 'POST',
  operation: 'dialUssd',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.dialUssd',
    summary: 'Play the phone of a payer',
    description:
      'Carries a dialogue on as a gateway does: the screens, the PIN and its attempts are the real ones. A code of ' +
      'another partner is unknown.',
    body: dialBody,
    answer: { status: 200, description: 'A screen', body: dialAnswer },
    refusals: [],
  },
  async handle(call) {
    const read = readDial(call.body);
    if (!read.ok) return read;
    const { environment, partner, services, requestId } = call;
    // No dialogue of a gateway, nor of another partner, has this name.
    const gatewaySession = `sandbox/${partner.id}/${read.value.gatewaySession}`;
    const dialogue = { environment, requestId, partnerId: partner.id };
    const screen = await screenOf(services, dialogue, { ...read.value, gatewaySession, sends: 'all' });
    return done(flatAnswer(200, writeDial(read.value, screen)));
  },
};

/** Stands in for the phone: the same moves through the same workflow, without a PIN (D34). */
const simulate: Omit<Route, 'path'> = {
  method: 'POST',
  operation: 'simulateUssd',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.simulateUssd',
    summary: 'Confirm or cancel a USSD payment in the payer’s place',
    body: ussdSimulationBody,
    answer: { status: 200, description: 'The payment was completed or cancelled', body: ussdSimulated },
    refusals: [
      'NOT_FOUND',
      'USSD_SESSION_NOT_ACTIVE',
      'USSD_SESSION_EXPIRED',
      'WALLET_CLOSED',
      'WALLET_FROZEN',
      'WALLET_NOT_ACTIVE',
      'LIMIT_EXCEEDED',
      'INSUFFICIENT_FUNDS',
    ],
  },
  async handle(call) {
    const read = readUssdSimulation(call.body);
    if (!read.ok) return read;
    const { session_id: written, action } = read.value;
    const sessionId = readSessionId(written);
    if (sessionId === null) return refuse('NOT_FOUND');
    const simulated = await simulateUssd(call, { sessionId, action }, call.requestId);
    return map(simulated, (session) => flatAnswer(200, writeUssdSimulated(session, action)));
  },
};

/** A gateway closes a dialogue after five seconds without an answer. */
const ANSWER_WITHIN_MS = 4_500;

/**
 * A caller who knows the secret always gets 200. Any other status would end the dialogue without a message to the
 * payer (D76).
 */
const callback: OpenRoute = {
  method: 'POST',
  path: '/v1/ussd/callback/:secret',
  operation: 'ussdCallback',
  reads: 'raw',
  doc: {
    section: 'Payments',
    sdk: null,
    summary: 'Called by the USSD gateway',
    description:
      'For gateways in the form of Africa’s Talking. The answer is the next screen: `CON` waits for input, `END` ' +
      'closes. The secret in the path names the environment; a wrong one is a 404.',
    body: gatewayForm,
    bodyType: 'application/x-www-form-urlencoded',
    answer: { status: 200, description: 'A screen', body: z.string(), type: 'text/plain' },
    refusals: ['NOT_FOUND'],
  },
  handle: (call) => answerGateway(call, 'africas-talking'),
};

/** Hollatags asks by GET, and sends one input at a time. Its parameters are read from a form, too. */
const hollatags: Omit<OpenRoute, 'method' | 'reads'> = {
  path: '/v1/ussd/callback/:secret/hollatags',
  operation: 'ussdHollatags',
  doc: {
    section: 'Payments',
    sdk: null,
    summary: 'Called by the USSD gateway Hollatags',
    description:
      'For gateways in the form of Hollatags, which send the newest input alone. The secret in the path names the ' +
      'environment; a wrong one is a 404.',
    answer: { status: 200, description: 'A screen', body: hollatagsAnswer },
    refusals: ['NOT_FOUND'],
  },
  handle: (call) => answerGateway(call, 'hollatags'),
};
const hollatagsByQuery: OpenRoute = {
  ...hollatags,
  method: 'GET',
  reads: 'query',
  doc: { ...hollatags.doc, query: hollatagsQuery },
};
const hollatagsByForm: OpenRoute = {
  ...hollatags,
  method: 'POST',
  operation: 'ussdHollatagsForm',
  reads: 'raw',
  doc: { ...hollatags.doc, body: hollatagsQuery, bodyType: 'application/x-www-form-urlencoded' },
};

/** Carries a dialogue on, in the dialect of a gateway. */
async function answerGateway(call: OpenCall, gateway: GatewayName): Promise<Outcome<Answer>> {
  const environment = environmentOf(call, gateway);
  if (!environment) return refuse('NOT_FOUND');
  const { parse, answer } = GATEWAY_DIALECTS[gateway];
  const message = parse(call.body as Buffer);
  const shown = (screen: string): Outcome<Answer> => {
    const { type, body } = answer(screen, message?.gatewaySession ?? null);
    return done({ status: 200, body, headers: { 'Content-Type': type } });
  };
  if (!message) return shown(SCREENS.invalid());
  // Hanging up cancels nothing: the payer may dial again.
  if (message.sends === 'end') return shown(SCREENS.ended());
  const { services, requestId } = call;
  return shown(await screenOf(services, { environment, requestId, partnerId: null }, message));
}

/**
 * The next screen of a dialogue. If it is not known in time, the payer is told how far the dialogue has come, and that the
 * service is unavailable where nothing is under way.
 */
function screenOf(
  { config, pins, logger }: Services,
  of: { environment: Environment; requestId: string; partnerId: string | null },
  message: GatewayMessage,
): Promise<string> {
  const late: Late = { screen: SCREENS.unavailable(), isTold: false };
  const conversation = wholeMessage(of.environment, config.USSD_SERVICE_CODE, message)
    .then((request) => converse({ config, pins, ...of, late }, request))
    .catch((error: unknown) => {
      const { requestId } = of;
      logger.warn({ err: error, requestId }, 'The API could not carry the dialogue of a USSD payer on');
      return late.screen;
    });
  return inTime(conversation, late);
}

/** The end of a dialogue, from gateways that report it. Hanging up cancels nothing: the payer may dial again. */
const notify: OpenRoute = {
  method: 'POST',
  path: '/v1/ussd/callback/:secret/notify',
  operation: 'ussdNotify',
  reads: 'raw',
  doc: {
    section: 'Payments',
    sdk: null,
    summary: 'Called by the USSD gateway when a dialogue has ended',
    answer: {
      status: 200,
      description: 'Received; the session does not change',
      body: z.string(),
      type: 'text/plain',
    },
    refusals: ['NOT_FOUND'],
  },
  handle: (call) =>
    Promise.resolve(environmentOf(call, 'africas-talking') ? done(textAnswer('')) : refuse('NOT_FOUND')),
};

/**
 * The secret names the environment, which must expect this gateway at this address. Hashes are compared, so that the time of the comparison reveals nothing about
 * the secret or its length.
 */
function environmentOf(call: OpenCall, gateway: GatewayName): Environment | undefined {
  const given = digest(call.params.secret ?? '');
  const { environments, ussdSecrets } = call.services;
  const known = Object.values(environments).find(({ name }) =>
    ussdSecrets[name].some((secret) => timingSafeEqual(digest(secret), given)),
  );
  return known?.takesUssdFrom(gateway, call.remoteAddress) ? known : undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const textAnswer = (body: string): Answer => ({
  status: 200,
  body,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
});

async function inTime(screen: Promise<string>, late: Late): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      late.isTold = true;
      resolve(late.screen);
    }, ANSWER_WITHIN_MS);
  });
  return Promise.race([screen, tooLate]).finally(() => clearTimeout(timer));
}

export const ussdRoutes: readonly Route[] = [
  initiate,
  list,
  get,
  // Both published prefixes serve every sandbox operation (D92).
  { ...simulate, path: '/sandbox/ussd/simulate' },
  { ...simulate, path: '/v1/sandbox/ussd/simulate' },
  { ...dial, path: '/sandbox/ussd/dial' },
  { ...dial, path: '/v1/sandbox/ussd/dial' },
];

export const ussdOpenRoutes: readonly OpenRoute[] = [callback, notify, hollatagsByQuery, hollatagsByForm];
