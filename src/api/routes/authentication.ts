/** Registration, login and API keys (interface: Authentication; D99-D102, D128). */
import { done, refuse, refuseFields } from '../../domain/outcome';
import { listKeysOf, revokeKey } from '../../db/partners/credentials';
import { newId } from '../../db/pg/ids';
import { cellForNewPartner } from '../../db/pg/schema';
import { findUser, registerPartner } from '../../db/partners/users';
import { makeKey } from '../../operations/make-key';
import { issueAccessToken } from '../../wire/access-tokens';
import { dataOf, pageOf } from '../../wire/answers';
import {
  apiKeyInfo,
  createdApiKey,
  keyCreationBody,
  readKeyCreation,
  writeApiKey,
} from '../../wire/api-keys';
import { canonicalId } from '../../wire/ids';
import { pageQuery } from '../../wire/pages';
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
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, type OpenRoute, type Route } from '../route';
import { networkOf } from '../stranger-limit';

/**
 * Registers a company with its first user. The hash of the password is made first, so that a used email takes as
 * long as a new one.
 */
const register: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/register',
  operation: 'register',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    summary: 'Register a partner',
    description:
      'Creates the company with its first user. It works in the sandbox at once, and in live once its compliance record is approved.',
    body: registrationBody,
    answer: { status: 201, description: 'The new partner', body: dataOf(partnerInfo) },
    refusals: ['RATE_LIMIT_EXCEEDED', 'EMAIL_ALREADY_REGISTERED'],
  },
  async handle(call) {
    const read = readRegistration(call.body);
    if (!read.ok) return read;
    const { access, passwords, config } = call.services;
    const { password, ...partner } = read.value;
    const cells = config.CELLS_PER_ENVIRONMENT;
    const registered = await registerPartner(access, {
      partnerId: newId(),
      userId: newId(),
      ...partner,
      passwordHash: await passwords.hash(password),
      cells: { sandbox: cellForNewPartner('sandbox', cells), live: cellForNewPartner('live', cells) },
    });
    return registered
      ? done(dataAnswer(call, 201, writePartner(registered)))
      : refuse('EMAIL_ALREADY_REGISTERED');
  },
};

/** An unknown email, a wrong password and a closed partner get the same answer after the same time. */
const login: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/login',
  operation: 'login',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    summary: 'Log in',
    description:
      'Gives an access token for one environment, the sandbox unless live is asked for. An address may try ten times a minute for one email.',
    body: loginBody,
    answer: { status: 200, description: 'The token and the partner', body: dataOf(loginAnswer) },
    refusals: ['RATE_LIMIT_EXCEEDED', 'INVALID_CREDENTIALS'],
  },
  async handle(call) {
    const read = readLogin(call.body);
    if (!read.ok) return read;
    const { access, passwords, strangers, config } = call.services;
    const { email, password, environment } = read.value;
    const wait = await strangers.ofLogin(`${networkOf(call.remoteAddress)}\n${email.toLowerCase()}`);
    if (wait) return refuse('RATE_LIMIT_EXCEEDED', wait);
    const user = await findUser(access, email);
    const matches = await passwords.matches(password, user?.passwordHash ?? null);
    if (!user || !matches || user.partner.status === 'closed') return refuse('INVALID_CREDENTIALS');
    const token = issueAccessToken(config.JWT_KEY, { partnerId: user.partner.id, environment }, user.id);
    return done(dataAnswer(call, 200, writeLogin(token, user.partner)));
  },
};

/** The key is shown in this answer and never again. */
const createKey: Route = {
  method: 'POST',
  path: '/v1/api-keys',
  operation: 'createApiKey',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    summary: 'Create an API key',
    description:
      'The full key is in `data.key` of this answer and is never shown again. To rotate, create another, change over, and delete the old one: both work meanwhile.',
    body: keyCreationBody,
    answer: { status: 201, description: 'The key, shown once', body: dataOf(createdApiKey) },
    refusals: [],
  },
  async handle(call) {
    const read = readKeyCreation(call.body);
    if (!read.ok) return read;
    const environment = call.services.environments[read.value.environment ?? call.environment.name];
    // The check before the route was for the token's environment. The key may be for the other one (D103).
    if (environment.requiresActivePartner && call.partner.status === 'suspended') {
      return refuse('PARTNER_NOT_ACTIVE');
    }
    const made = await makeKey(call.services.access, {
      ...read.value,
      partnerId: call.partner.id,
      environment: environment.name,
    });
    if (!made) return refuseFields({ field: 'expires_at', message: 'must be in the future' });
    return done(dataAnswer(call, 201, { ...writeApiKey(made.record), key: made.key }));
  },
};

/** The partner's keys of both environments: one person holds both. */
const listApiKeys = reading({
  method: 'GET',
  path: '/v1/api-keys',
  operation: 'listApiKeys',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    summary: 'List API keys',
    query: pageQuery,
    description: 'The keys of both environments, newest first, without those that were deleted.',
    answer: { status: 200, description: 'The keys', body: pageOf(apiKeyInfo) },
    refusals: [],
  },
  async handle(call) {
    return pageAnswer(call, {
      name: `api-keys/${call.partner.id}`,
      order: BY_ID,
      find: ({ after, limit }) =>
        listKeysOf(call.services.access, call.partner.id, { beforeId: after, limit }),
      write: writeApiKey,
    });
  },
});

const deleteKey: Route = {
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  operation: 'deleteApiKey',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    summary: 'Delete an API key',
    description: 'The key is refused everywhere within five seconds.',
    answer: { status: 204, description: 'The key is revoked', body: null },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    const revoked = id !== null && (await revokeKey(call.services.access, id, call.partner.id));
    return revoked ? done({ status: 204, body: null }) : refuse('NOT_FOUND');
  },
};

export const authenticationRoutes: readonly Route[] = [createKey, listApiKeys, deleteKey];
export const openAuthenticationRoutes: readonly OpenRoute[] = [register, login];
