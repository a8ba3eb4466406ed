/** The people of a partner: users with roles, and invitations. */
import { map, refuse } from '../../domain/outcome';
import { listInvitations, listUsers } from '../../db/partners/people';
import {
  acceptInvitation,
  changeRole,
  invite,
  removeUser,
  withdrawInvitation,
} from '../../operations/partners/people';
import { dataOf, pageOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { pageQuery } from '../../wire/pages';
import {
  acceptanceBody,
  invitationBody,
  invitationInfo,
  readAcceptance,
  readInvitation,
  readRole,
  roleBody,
  userInfo,
  writeInvitation,
  writeUser,
} from '../../wire/people';
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, signedIn, type OpenRoute, type Route } from '../route';
import { originOf } from '../stranger-limit';

const NO_BODY = { status: 204, body: null };

const users = reading({
  method: 'GET',
  path: '/v1/users',
  operation: 'listUsers',
  needs: 'people',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'users.list',
    summary: 'List users',
    description: 'The people who sign in for the partner, newest first. They belong to both environments.',
    query: pageQuery,
    answer: { status: 200, description: 'The users', body: pageOf(userInfo) },
    refusals: [],
  },
  async handle(call) {
    return pageAnswer(call, {
      name: `users/${call.partner.id}`,
      order: BY_ID,
      find: ({ after, limit }) =>
        listUsers(call.services.access, call.partner.id, { beforeId: after, limit }),
      write: writeUser,
    });
  },
});

const role: Route = {
  method: 'PUT',
  path: '/v1/users/:id/role',
  operation: 'setUserRole',
  harmlessTwice: true,
  needs: 'people',
  tokenOnly: true,
  outlivesReset: true,
  doc: {
    section: 'Authentication',
    sdk: 'users.setRole',
    summary: 'Give a user another role',
    description:
      'In force everywhere within five seconds. It needs a proof of who asks that is younger than ten minutes, and the last owner stays one.',
    body: roleBody,
    answer: { status: 200, description: 'The user', body: dataOf(userInfo) },
    refusals: ['PROOF_REQUIRED', 'LAST_OWNER'],
  },
  async handle(call) {
    const read = readRole(call.body);
    if (!read.ok) return read;
    const userId = canonicalId(call.params.id ?? '', 'other');
    if (userId === null) return refuse('NOT_FOUND');
    const asked = { userId, role: read.value };
    const changed = await changeRole(call.services, signedIn(call), asked, call.remoteAddress);
    return map(changed, (user) => dataAnswer(call, 200, writeUser(user)));
  },
};

const removal: Route = {
  method: 'DELETE',
  path: '/v1/users/:id',
  operation: 'removeUser',
  needs: 'people',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'users.remove',
    summary: 'Remove a user',
    description:
      'The tokens of the user are refused everywhere within five seconds. API keys that the user has made go on, because programs use them. It needs a proof of who asks that is younger than ten minutes, and the last owner cannot be removed.',
    answer: { status: 204, description: 'The user is removed', body: null },
    refusals: ['PROOF_REQUIRED', 'LAST_OWNER'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (id === null) return refuse('NOT_FOUND');
    return map(await removeUser(call.services, signedIn(call), id, call.remoteAddress), () => NO_BODY);
  },
};

const invitation: Route = {
  method: 'POST',
  path: '/v1/invitations',
  operation: 'inviteUser',
  needs: 'people',
  tokenOnly: true,
  outlivesReset: true,
  doc: {
    section: 'Authentication',
    sdk: 'invitations.create',
    summary: 'Invite somebody',
    description:
      'Mails a token, good once and for seven days. The answer is the same whether another partner knows the email or not: where one does, its owner gets a mail without a token. Inviting an email again renews its invitation. It needs a proof of who asks that is younger than ten minutes. A partner has at most 50 users and invitations, and sends ten invitations in an hour before its address is confirmed.',
    body: invitationBody,
    answer: {
      status: 202,
      description: 'The invitation; a mail is on its way',
      body: dataOf(invitationInfo),
    },
    refusals: ['PROOF_REQUIRED', 'EMAIL_ALREADY_REGISTERED', 'LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readInvitation(call.body);
    if (!read.ok) return read;
    const invited = await invite(call.services, signedIn(call), read.value, call.remoteAddress);
    return map(invited, (made) => dataAnswer(call, 202, writeInvitation(made)));
  },
};

const invitations = reading({
  method: 'GET',
  path: '/v1/invitations',
  operation: 'listInvitations',
  needs: 'people',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'invitations.list',
    summary: 'List invitations',
    description: 'Those that are open, newest first.',
    query: pageQuery,
    answer: { status: 200, description: 'The invitations', body: pageOf(invitationInfo) },
    refusals: [],
  },
  async handle(call) {
    return pageAnswer(call, {
      name: `invitations/${call.partner.id}`,
      order: BY_ID,
      find: ({ after, limit }) =>
        listInvitations(call.services.access, call.partner.id, { beforeId: after, limit }),
      write: writeInvitation,
    });
  },
});

const withdrawal: Route = {
  method: 'DELETE',
  path: '/v1/invitations/:id',
  operation: 'withdrawInvitation',
  needs: 'people',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'invitations.withdraw',
    summary: 'Withdraw an invitation',
    answer: { status: 204, description: 'Its token works no more', body: null },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (id === null) return refuse('NOT_FOUND');
    return map(
      await withdrawInvitation(call.services, signedIn(call), id, call.remoteAddress),
      () => NO_BODY,
    );
  },
};

const acceptance: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/invitations/accept',
  operation: 'acceptInvitation',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'invitations.accept',
    summary: 'Accept an invitation',
    description: 'Takes the token that came by mail, and the password that the new user chooses.',
    body: acceptanceBody,
    answer: { status: 201, description: 'The new user', body: dataOf(userInfo) },
    refusals: ['RATE_LIMIT_EXCEEDED', 'EMAIL_ALREADY_REGISTERED'],
  },
  async handle(call) {
    const read = readAcceptance(call.body);
    if (!read.ok) return read;
    const joined = await acceptInvitation(call.services, read.value, originOf(call.remoteAddress));
    return map(joined, (user) => dataAnswer(call, 201, writeUser(user)));
  },
};

export const peopleRoutes: readonly Route[] = [users, role, removal, invitation, invitations, withdrawal];
export const openPeopleRoutes: readonly OpenRoute[] = [acceptance];
