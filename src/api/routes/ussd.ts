/** USSD payments: initiate, show, the callbacks of the gateway, and the sandbox's simulation (D69-D76, D34). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { findSessionAsTold } from '../../db/payments/ussd-moves';
import { done, map, refuse } from '../../domain/outcome';
import { SCREENS } from '../../domain/ussd-screens';
import { converse } from '../../operations/ussd/converse';
import { openSession } from '../../operations/ussd/open-session';
import { simulateUssd } from '../../operations/ussd/simulate';
import type { Environment } from '../../runtime/environment';
import { dataOf } from '../../wire/answers';
import { gatewayForm, readGatewayRequest } from '../../wire/ussd-gateway';
import {
  readSessionId,
  readUssdInitiation,
  readUssdSimulation,
  ussdInitiationBody,
  ussdSession,
  ussdSimulated,
  ussdSimulationBody,
  ussdStartedAnswer,
  writeUssdSession,
  writeUssdSimulated,
  writeUssdStarted,
} from '../../wire/ussd';
import { usedKey } from '../fingerprint';
import {
  dataAnswer,
  flatAnswer,
  replyOf,
  type Answer,
  type OpenCall,
  type OpenRoute,
  type Route,
} from '../route';

/** The session exists from its commit on. Funds are checked when the code is dialled, not now (D73). */
const initiate: Route = {
  method: 'POST',
  path: '/v1/payments/ussd/initiate',
  operation: 'initiateUssd',
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
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
      write: (session) => flatAnswer(200, writeUssdStarted(session, serviceCode, call)),
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
  async handle(call) {
    const environment = environmentOf(call);
    if (!environment) return refuse('NOT_FOUND');
    const request = readGatewayRequest(call.body as Buffer);
    if (!request) return done(textAnswer(SCREENS.invalid()));
    const { services, requestId } = call;
    const { config, pins } = services;
    const dialogue = { config, pins, environment, requestId };
    const conversation = converse(dialogue, request).catch((error: unknown) => {
      services.logger.warn(
        { err: error, requestId },
        'The API told a USSD payer that the service is unavailable',
      );
      return SCREENS.unavailable();
    });
    return done(textAnswer(await inTime(conversation)));
  },
};

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
  handle: (call) => Promise.resolve(environmentOf(call) ? done(textAnswer('')) : refuse('NOT_FOUND')),
};

/**
 * The secret names the environment. Hashes are compared, so that the time of the comparison reveals nothing about
 * the secret or its length.
 */
function environmentOf(call: OpenCall): Environment | undefined {
  const given = digest(call.params.secret ?? '');
  const { environments, ussdSecrets } = call.services;
  return Object.values(environments).find(({ name }) =>
    ussdSecrets[name].some((secret) => timingSafeEqual(digest(secret), given)),
  );
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const textAnswer = (body: string): Answer => ({
  status: 200,
  body,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
});

async function inTime(screen: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(SCREENS.unavailable()), ANSWER_WITHIN_MS);
  });
  return Promise.race([screen, late]).finally(() => clearTimeout(timer));
}

export const ussdRoutes: readonly Route[] = [
  initiate,
  get,
  // Both published prefixes serve every sandbox operation (D92).
  { ...simulate, path: '/sandbox/ussd/simulate' },
  { ...simulate, path: '/v1/sandbox/ussd/simulate' },
];

export const ussdOpenRoutes: readonly OpenRoute[] = [callback, notify];
