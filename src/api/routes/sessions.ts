/** The sessions of the person who is signed in: the list, and logging out (D101, D128). */
import { map, refuse } from '../../domain/outcome';
import { listSessions } from '../../db/partners/sessions';
import { logOut, logOutEverywhere } from '../../operations/partners/sessions';
import { pageOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { pageQuery } from '../../wire/pages';
import { sessionInfo, writeSession } from '../../wire/sessions';
import { BY_ID, pageAnswer } from '../page';
import { reading, signedIn, type Route } from '../route';

const list = reading({
  method: 'GET',
  path: '/v1/sessions',
  operation: 'listSessions',
  needs: 'self',
  tokenOnly: true,
  doc: {
    section: 'Authentication',
    sdk: 'sessions.list',
    summary: 'List sessions',
    description:
      'The sessions in force of the person whose token this is, in both environments, newest first.',
    query: pageQuery,
    answer: { status: 200, description: 'The sessions', body: pageOf(sessionInfo) },
    refusals: [],
  },
  async handle(call) {
    const caller = signedIn(call);
    return pageAnswer(call, {
      name: `sessions/${caller.userId ?? caller.partnerId}`,
      order: BY_ID,
      find: ({ after, limit }) => listSessions(call.services.access, caller, { beforeId: after, limit }),
      write: (session) => writeSession(session, caller.sessionId),
    });
  },
});

const end: Route = {
  method: 'DELETE',
  path: '/v1/sessions/:id',
  operation: 'endSession',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'sessions.end',
    summary: 'Log out',
    description:
      'Ends one session; `current` as the id is the session of this token. Its token is refused everywhere within five seconds.',
    answer: { status: 204, description: 'The session has ended', body: null },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const caller = signedIn(call);
    const { id: asked = '' } = call.params;
    const id = asked === 'current' ? caller.sessionId : canonicalId(asked, 'other');
    if (id === null) return refuse('NOT_FOUND');
    return map(await logOut(call.services, caller, id, call.remoteAddress), () => ({
      status: 204,
      body: null,
    }));
  },
};

const endAll: Route = {
  method: 'DELETE',
  path: '/v1/sessions',
  operation: 'endSessions',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'sessions.endAll',
    summary: 'Log out everywhere',
    description:
      'Ends every session of this person in both environments, this one too. Their tokens are refused everywhere within five seconds.',
    answer: { status: 204, description: 'The sessions have ended', body: null },
    refusals: [],
  },
  async handle(call) {
    return map(await logOutEverywhere(call.services, signedIn(call), call.remoteAddress), () => ({
      status: 204,
      body: null,
    }));
  },
};

export const sessionRoutes: readonly Route[] = [list, end, endAll];
