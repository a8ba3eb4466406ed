/** Registration, login and API keys (interface: Authentication; D99-D102, D128). */
import { map, refuse } from '../../domain/outcome';
import { forbidden } from '../../domain/refusal-reasons';
import { listKeyDays } from '../../db/partners/requests';
import type { KeyDay } from '../../domain/request-log';
import { listKeysOf } from '../../db/partners/credentials';
import { deleteKey, makeOwnKey, rotateKey, type KeyHolder } from '../../operations/partners/keys';
import { logIn, register } from '../../operations/partners/sign-in';
import { dataOf, pageOf } from '../../wire/answers';
import {
  listedApiKey,
  writeListedApiKey,
  createdApiKey,
  keyCreationBody,
  keyRotationBody,
  readKeyCreation,
  readKeyRotation,
  writeApiKey,
} from '../../wire/api-keys';
import { canonicalId } from '../../wire/ids';
import { keysQuery } from '../../wire/pages';
import {
  loginAnswer,
  loginBody,
  partnerInfo,
  readLogin,
  readRegistration,
  registrationBody,
  writeLogin,
  writePartner,
} from '../../wire/partners';
import { networkNamed } from '../networks';
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, signedIn, type Call, type OpenRoute, type Route } from '../route';
import { originOf } from '../stranger-limit';

const registration: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/register',
  operation: 'register',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.register',
    summary: 'Register a partner',
    description:
      'Creates the company with its first user, and mails a token to the address. It works in the sandbox at once, and in live once the address is confirmed and its compliance record is approved. The answer is the same whether the address is known or not: where it is known, nothing is made, and its owner gets a mail. An account whose address nobody has confirmed for a day gives way to a new registration.',
    body: registrationBody,
    answer: { status: 202, description: 'The partner; a mail is on its way', body: dataOf(partnerInfo) },
    refusals: ['RATE_LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readRegistration(call.body);
    if (!read.ok) return read;
    const registered = await register(call.services, read.value, originOf(call.remoteAddress));
    return map(registered, (partner) => dataAnswer(call, 202, writePartner(partner)));
  },
};

const login: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/login',
  operation: 'login',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.login',
    summary: 'Log in',
    description:
      'Gives an access token for one environment, the sandbox unless live is asked for. An address may try ten times a minute for one email. After ten wrong attempts in a row the account has to wait before each further one, for a minute at first and a quarter of an hour at most; `Retry-After` says how long.',
    body: loginBody,
    answer: { status: 200, description: 'The token and the partner', body: dataOf(loginAnswer) },
    refusals: ['RATE_LIMIT_EXCEEDED', 'INVALID_CREDENTIALS', 'ONE_TIME_CODE_REQUIRED'],
  },
  async handle(call) {
    const read = readLogin(call.body);
    if (!read.ok) return read;
    const { strangers } = call.services;
    const { email } = read.value;
    const from = originOf(call.remoteAddress);
    const wait = await strangers.ofLogin(`${from.network}\n${email.toLowerCase()}`);
    if (wait) return refuse('RATE_LIMIT_EXCEEDED', wait);
    const user = await logIn(call.services, read.value, from);
    return map(user, ({ token, partner }) => dataAnswer(call, 200, writeLogin(token, partner)));
  },
};

const holderOf = (call: Call): KeyHolder => ({
  caller: signedIn(call),
  address: call.remoteAddress,
  isLive: !call.environment.allowsSimulation,
});

/** The key is shown in this answer and never again. */
const creation: Route = {
  method: 'POST',
  path: '/v1/api-keys',
  operation: 'createApiKey',
  needs: 'keys',
  tokenOnly: true,
  outlivesReset: true,
  doc: {
    section: 'Authentication',
    sdk: 'apiKeys.create',
    summary: 'Create an API key',
    description:
      'The full key is in `data.key` of this answer and is never shown again. It is for the environment of the token. For a live key the password must have been given within the last ten minutes, at the login or at `POST /v1/auth/proof`. A partner has at most 20 keys in force in one environment. `scopes` and `allowed_cidrs` bound what a stolen key is good for.',
    body: keyCreationBody,
    answer: { status: 201, description: 'The key, shown once', body: dataOf(createdApiKey) },
    refusals: ['PROOF_REQUIRED', 'LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readKeyCreation(call.body);
    if (!read.ok) return read;
    const { environment: named, networks, ...asked } = read.value;
    // A token makes keys of its own environment only (D168).
    if (named !== null && named !== call.environment.name) {
      return forbidden('environment', { environment: call.environment.name });
    }
    const allowedCidrs = [...new Set(networks.map(networkNamed))];
    const made = await makeOwnKey(call.services, holderOf(call), { ...asked, allowedCidrs });
    return map(made, ({ key, record }) => dataAnswer(call, 201, { ...writeApiKey(record), key }));
  },
};

/** The new key is shown in this answer and never again. */
const rotation: Route = {
  method: 'POST',
  path: '/v1/api-keys/:id/rotate',
  operation: 'rotateApiKey',
  needs: 'keys',
  tokenOnly: true,
  outlivesReset: true,
  bodyOptional: true,
  doc: {
    section: 'Authentication',
    sdk: 'apiKeys.rotate',
    summary: 'Replace an API key',
    description:
      'Makes another key with the same label, scopes and networks, which is good for as long as the old one was to be. The old key goes on for `overlap_seconds`, a day unless given, at most a week; with 0 it ends at once. A live key needs the password within the last ten minutes, as its creation does.',
    body: keyRotationBody,
    answer: { status: 201, description: 'The new key, shown once', body: dataOf(createdApiKey) },
    refusals: ['PROOF_REQUIRED', 'LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (id === null) return refuse('NOT_FOUND');
    const read = readKeyRotation(call.body);
    if (!read.ok) return read;
    const made = await rotateKey(call.services, holderOf(call), id, read.value);
    return map(made, ({ key, record }) => dataAnswer(call, 201, { ...writeApiKey(record), key }));
  },
};

const listApiKeys = reading({
  method: 'GET',
  path: '/v1/api-keys',
  operation: 'listApiKeys',
  needs: 'keys',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'apiKeys.list',
    summary: 'List API keys',
    query: keysQuery,
    description: 'The keys of the environment of the token, newest first, without those that were deleted.',
    answer: { status: 200, description: 'The keys', body: pageOf(listedApiKey) },
    refusals: [],
  },
  async handle(call) {
    const isUseAsked = call.query.include === 'used_by_day';
    const days = new Map<string, KeyDay[]>();
    return pageAnswer(call, {
      name: `api-keys/${call.partner.id}/${call.environment.name}`,
      order: BY_ID,
      async find({ after, limit }) {
        const keys = await listKeysOf(call.services.access, signedIn(call), { beforeId: after, limit });
        if (!isUseAsked) return keys;
        const ids = keys.map(({ id }) => id);
        for (const day of await listKeyDays(call.cell, ids)) {
          days.set(day.keyId, [...(days.get(day.keyId) ?? []), day]);
        }
        return keys;
      },
      write: (key) => writeListedApiKey(key, isUseAsked ? (days.get(key.id) ?? []) : null),
    });
  },
});

const removal: Route = {
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  operation: 'deleteApiKey',
  needs: 'keys',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'apiKeys.delete',
    summary: 'Delete an API key',
    description: 'The key is refused everywhere within five seconds.',
    answer: { status: 204, description: 'The key is revoked', body: null },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (id === null) return refuse('NOT_FOUND');
    const deleted = await deleteKey(call.services, holderOf(call), id);
    return map(deleted, () => ({ status: 204, body: null }));
  },
};

export const authenticationRoutes: readonly Route[] = [creation, rotation, listApiKeys, removal];
export const openAuthenticationRoutes: readonly OpenRoute[] = [registration, login];
