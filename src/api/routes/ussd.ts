/** USSD payments: initiate, look, the gateway's callback, the sandbox's simulate, and the wallet PIN (D69-D76, D34). */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { giveBackDialCode, takeDialCode } from '../../db/payments/dial-codes';
import { newId } from '../../db/pg/ids';
import { UnavailableError } from '../../runtime/unavailable';
import type { Cell } from '../../db/pg/postgres';
import { asTold } from '../../db/payments/ussd-moves';
import { findUssdSession, openUssdSession, settlementWalletOf } from '../../db/payments/ussd-sessions';
import { findWallet } from '../../db/wallets/wallets';
import { done, refuse, type Refused } from '../../domain/outcome';
import { present } from '../../domain/assert';
import { REFUSALS, type RefusalCode } from '../../domain/refusals';
import { isOpen, notOpen, type UssdSession } from '../../domain/ussd';
import { SCREENS } from '../../domain/ussd-screens';
import type { Environment } from '../../runtime/environment';
import { ussdIntention } from '../../contract/intentions';
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
  type UssdRequest,
} from '../../wire/ussd';
import { usedKey } from '../fingerprint';
import {
  dataAnswer,
  flatAnswer,
  replayed,
  type Answer,
  type Call,
  type OpenCall,
  type OpenRoute,
  type Route,
} from '../route';
import { converse } from './ussd-gateway';
import { tellUssd } from '../../operations/ussd/messages';
import { notConfigured } from './wallets';

/** The session lives from its commit on; funds are looked at when the code is dialled, not now (D73). */
const initiate: Route = {
  method: 'POST',
  path: '/v1/payments/ussd/initiate',
  operation: 'initiateUssd',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Payments',
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
    if (!call.environment.providers) return notConfigured('USSD');
    const { cell, services } = call;
    const { config } = services;
    const key = usedKey(call, 'initiateUssd', read.value);
    const early = await refusedAtOnce(call, read.value);
    if (early) return early;
    const { pool, directory } = call.environment;
    const [sessionId, partnerId] = [newId(), call.partner.id];
    const windowMs = config.USSD_SESSION_MS;
    const write = (session: UssdSession): Answer =>
      startedAnswer(call, writeUssdStarted(session, config.USSD_SERVICE_CODE, call.form));

    // The code leads to its session before the session can be seen.
    const { phone } = read.value;
    const dialCode = await drawCode(cell, call.environment, { partnerId, sessionId, phone, windowMs });
    const opened = await openUssdSession(
      cell,
      {
        ...read.value,
        sessionId,
        transactionId: newId(),
        partnerId,
        merchantName: read.value.merchantName ?? call.partner.businessName,
        dialCode,
        windowMs,
        key,
        answer: (session) => ({ status: 200, body: present(write(session).body, 'the body of an answer') }),
        intend: ussdIntention,
      },
      config.IDEMPOTENCY_WINDOW_MS,
    );
    if (!opened.ok || opened.value.kind !== 'accepted')
      await giveBackDialCode(pool, directory, dialCode, sessionId);
    if (!opened.ok) return opened;
    const { value } = opened;
    switch (value.kind) {
      case 'accepted':
        call.environment.relay.afterCommit(cell, { intentions: [value.value.intention], endpointIds: [] });
        return done(write(value.value.session));
      case 'same_key':
        return done(replayed(value.answer));
      case 'same_reference': {
        const first = await findUssdSession(cell, partnerId, value.resourceId);
        const told = await asTold(cell, present(first, 'the session of a used reference'));
        return done(replayed(write(told)));
      }
    }
  },
};

/** What the request shows by itself comes before its reference, and after its key (D135). */
async function refusedAtOnce(call: Call, request: UssdRequest): Promise<Refused | null> {
  const { payerWalletId, merchantWalletId, amountKobo } = request;
  if (amountKobo < 1) return refuse('AMOUNT_TOO_LOW');
  const { pool, schema } = call.cell;
  const merchant = merchantWalletId ?? (await settlementWalletOf(pool, schema, call.partner.id));
  return payerWalletId === merchant ? refuse('SAME_WALLET_TRANSFER') : null;
}

/** The guide shows its answer without an envelope: it gets both (D69). */
function startedAnswer(call: Call, started: object): Answer {
  if (call.form !== 'guide') return dataAnswer(call, 200, started);
  return flatAnswer(200, { ...started, data: started, meta: { request_id: call.requestId } });
}

const CODES = 1_000_000;
const DRAWS_MAX = 20;

async function drawCode(
  cell: Cell,
  { directory }: Environment,
  owner: { partnerId: string; sessionId: string; phone: string | null; windowMs: number },
): Promise<string> {
  for (let drawn = 1; drawn <= DRAWS_MAX; drawn++) {
    const code = String(randomInt(CODES)).padStart(6, '0');
    if (await takeDialCode(cell, directory, { ...owner, code })) return code;
  }
  throw new UnavailableError('no dial code is free');
}

/** From Postgres alone, and without a move: only the session's workflow moves it (R38). */
const get: Route = {
  method: 'GET',
  path: '/v1/payments/ussd/:sessionId',
  operation: 'getUssdSession',
  doc: {
    section: 'Payments',
    summary: 'Get a USSD session',
    answer: { status: 200, description: 'The session as it is now', body: dataOf(ussdSession) },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const session = await sessionOf(call, call.params.sessionId ?? '');
    if (!session) return refuse('NOT_FOUND');
    return done(dataAnswer(call, 200, writeUssdSession(session, call.services.config.USSD_SERVICE_CODE)));
  },
};

async function sessionOf({ cell, partner }: Call, written: string): Promise<UssdSession | null> {
  const sessionId = readSessionId(written);
  const session = sessionId && (await findUssdSession(cell, partner.id, sessionId));
  return session ? asTold(cell, session) : null;
}

/** Stands in for the phone: the same moves through the same workflow, without a PIN (D34). */
const simulate: Omit<Route, 'path'> = {
  method: 'POST',
  operation: 'simulateUssd',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
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
    const session = await sessionOf(call, written);
    if (!session) return refuse('NOT_FOUND');
    if (!isOpen(session.status)) return notOpen(session.status);
    const message = { kind: action === 'confirm' ? 'pay' : 'cancel' } as const;
    const told = await tellUssd(call.environment, session, message, call.requestId);
    if (!told.ok) return told;
    switch (told.value.kind) {
      case 'ended':
        return notOpen((await sessionOf(call, written))?.status ?? 'failed');
      case 'unavailable':
        return refuse('SERVICE_UNAVAILABLE');
      case 'answered': {
        const { status, failureReason } = told.value.result;
        const asked = action === 'confirm' ? status === 'completed' : failureReason === 'CANCELLED';
        if (asked) return done(flatAnswer(200, writeUssdSimulated(session, action)));
        if (status === 'failed' && isCode(failureReason)) return failedBy(call, session, failureReason);
        return notOpen(status);
      }
    }
  },
};

const isCode = (reason: string | null): reason is RefusalCode =>
  reason !== null && Object.hasOwn(REFUSALS, reason);

async function failedBy(call: Call, session: UssdSession, code: RefusalCode): Promise<Refused> {
  if (code !== 'INSUFFICIENT_FUNDS') return refuse(code);
  const payer = await findWallet(call.cell, session.partnerId, session.payerWalletId);
  const detail = { availableKobo: payer?.balanceKobo ?? 0, requiredKobo: session.amountKobo };
  return refuse(code, { detail });
}

/** A gateway closes a dialogue after five seconds without an answer. */
const ANSWER_WITHIN_MS = 4_500;

/** Always 200 for who knows the secret: anything else would kill the dialogue without a word to the payer (D76). */
const callback: OpenRoute = {
  method: 'POST',
  path: '/v1/ussd/callback/:secret',
  operation: 'ussdCallback',
  reads: 'raw',
  doc: {
    section: 'Payments',
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
    const conversation = converse({ services, environment, requestId }, request).catch((error: unknown) => {
      services.logger.warn({ err: error, requestId }, 'a USSD message was answered as unavailable');
      return SCREENS.unavailable();
    });
    return done(textAnswer(await inTime(conversation)));
  },
};

/** The end of a dialogue, from gateways that tell it. Hanging up cancels nothing: the payer may dial again. */
const notify: OpenRoute = {
  method: 'POST',
  path: '/v1/ussd/callback/:secret/notify',
  operation: 'ussdNotify',
  reads: 'raw',
  doc: {
    section: 'Payments',
    summary: 'Told by the USSD gateway that a dialogue has ended',
    answer: {
      status: 200,
      description: 'Heard; the session stays as it is',
      body: z.string(),
      type: 'text/plain',
    },
    refusals: ['NOT_FOUND'],
  },
  handle: (call) => Promise.resolve(environmentOf(call) ? done(textAnswer('')) : refuse('NOT_FOUND')),
};

/** The secret names the environment; compared by hashes, so that neither length nor time tells of it. */
function environmentOf(call: OpenCall): Environment | undefined {
  const given = digest(call.params.secret ?? '');
  return Object.values(call.services.environments).find(({ ussdSecret }) =>
    timingSafeEqual(digest(ussdSecret), given),
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
