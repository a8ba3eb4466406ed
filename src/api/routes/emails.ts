/** The email addresses of people: confirmed, changed and taken back (D175). */
import { map } from '../../domain/outcome';
import {
  askForAddress,
  confirmAddress,
  sendConfirmation,
  takeAddressBack,
} from '../../operations/partners/email-addresses';
import { dataOf } from '../../wire/answers';
import { emailChangeBody, readEmailChange, readReset, takeBackBody } from '../../wire/proofs';
import { confirmationBody, confirmedEmail, readConfirmation } from '../../wire/security-events';
import { dataAnswer, signedIn, type OpenRoute, type Route } from '../route';
import { originOf } from '../stranger-limit';

const NO_BODY = { status: 204, body: null };

const confirm: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/email/confirm',
  operation: 'confirmEmail',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.confirmEmail',
    summary: 'Confirm an email address',
    description:
      'The token comes by mail, works once and for 24 hours. Live keys work from the confirmation on; the sandbox needs none. The token that came to a new address makes it the address of the user. Send the password too: the first confirmation without it ends all API keys, sessions, invitations, other users, one-time codes and webhook endpoints that were made before, because somebody else may have registered with the address.',
    body: confirmationBody,
    answer: { status: 200, description: 'The confirmed address', body: dataOf(confirmedEmail) },
    refusals: [
      'RATE_LIMIT_EXCEEDED',
      'EMAIL_ALREADY_REGISTERED',
      'INVALID_CREDENTIALS',
      'ONE_TIME_CODE_REQUIRED',
    ],
  },
  async handle(call) {
    const read = readConfirmation(call.body);
    if (!read.ok) return read;
    const from = originOf(call.remoteAddress);
    const confirmed = await confirmAddress(call.services, read.value, from);
    return map(confirmed, ({ email, confirmedAt }) =>
      dataAnswer(call, 200, { email, confirmed_at: confirmedAt.toISOString() }),
    );
  },
};

const confirmation: Route = {
  method: 'POST',
  path: '/v1/auth/email/confirmation',
  operation: 'sendConfirmation',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  bodyOptional: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.sendConfirmation',
    summary: 'Ask for another confirmation mail',
    description:
      'The token before does not work any more. An address gets five such mails in an hour, and none once it is confirmed.',
    answer: { status: 204, description: 'Taken', body: null },
    refusals: [],
  },
  async handle(call) {
    const from = originOf(call.remoteAddress);
    return map(await sendConfirmation(call.services, signedIn(call), from), () => NO_BODY);
  },
};

const change: Route = {
  method: 'POST',
  path: '/v1/auth/email',
  operation: 'changeEmail',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.changeEmail',
    summary: 'Change the email address',
    description:
      "Takes the password, and a one-time code where codes are on, and mails a token to the new address; an address that is another user's gets a mail without one, and the answer is the same. The address changes when the token is sent to `POST /v1/auth/email/confirm`. The old address then gets a token with which it can be taken back for 72 hours.",
    body: emailChangeBody,
    answer: { status: 204, description: 'A mail is on its way to the new address', body: null },
    refusals: ['INVALID_CREDENTIALS', 'ONE_TIME_CODE_REQUIRED', 'RATE_LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readEmailChange(call.body);
    if (!read.ok) return read;
    const from = originOf(call.remoteAddress);
    return map(await askForAddress(call.services, signedIn(call), read.value, from), () => NO_BODY);
  },
};

const takeBack: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/email/take-back',
  operation: 'takeEmailBack',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.takeEmailBack',
    summary: 'Take an email address back',
    description:
      'Takes the token that came to the old address when it was changed, within 72 hours, and another password. All sessions of the person end. One-time codes that were switched on after the change go off, older ones stay on.',
    body: takeBackBody,
    answer: { status: 204, description: 'The old address and the new password are in force', body: null },
    refusals: ['RATE_LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readReset(call.body);
    if (!read.ok) return read;
    const from = originOf(call.remoteAddress);
    return map(await takeAddressBack(call.services, read.value, from), () => NO_BODY);
  },
};

export const emailRoutes: readonly Route[] = [confirmation, change];
export const openEmailRoutes: readonly OpenRoute[] = [confirm, takeBack];
