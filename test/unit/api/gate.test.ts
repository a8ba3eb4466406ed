/** Why a credential may not do something is told by a reason out of a table, with what is missing (D95, D103, D128, D175). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../../../src/api/authenticate';
import { gate } from '../../../src/api/gate';
import { ROUTES } from '../../../src/api/routes';
import { FORBIDDEN_REASONS } from '../../../src/domain/refusal-reasons';
import { writeError } from '../../../src/wire/errors';

const routeOf = (operation: string) => {
  const route = ROUTES.find((one) => one.operation === operation);
  if (!route) throw new Error(`there is no ${operation}`);
  return route;
};
const KEY = { scopes: ['read', 'payments', 'webhooks', 'admin'], allowedCidrs: [] };

/** What is refused of a caller: all right but for `given`. */
function detailOf(operation: string, given: object, isLive = true) {
  const caller = {
    environment: { allowsSimulation: !isLive, requiresActivePartner: isLive },
    partner: { status: 'active', emailIsConfirmed: true },
    session: null,
    key: null,
    ...given,
  } as unknown as Caller;
  const refused = gate(routeOf(operation), caller, '203.0.113.7');
  if (!refused) return null;
  const written = JSON.parse(writeError(refused.refusal, 'reference', 403, 'req_1')) as Record<
    string,
    unknown
  >;
  return [written['error'], written['message'], written['detail']];
}

test.each<[string, string, object, unknown]>([
  [
    'network',
    'p2pTransfer',
    { key: { ...KEY, allowedCidrs: ['198.51.100.0/24'] } },
    { reason: 'network', address: '203.0.113.7' },
  ],
  [
    'scope',
    'p2pTransfer',
    { key: { ...KEY, scopes: ['read', 'admin'] } },
    { reason: 'scope', needed_scope: 'payments', scopes: ['read', 'admin'] },
  ],
  ['access_token', 'createApiKey', { key: KEY }, { reason: 'access_token' }],
  [
    'role',
    'p2pTransfer',
    { session: { role: 'developer' } },
    { reason: 'role', role: 'developer', needed_roles: ['owner', 'finance'] },
  ],
  [
    'email_unconfirmed',
    'p2pTransfer',
    { key: KEY, partner: { status: 'active', emailIsConfirmed: false } },
    { reason: 'email_unconfirmed' },
  ],
])('%s', (reason, operation, given, detail) => {
  const [error, message, told] = detailOf(operation, given) ?? [];
  expect([error, told]).toEqual(['FORBIDDEN', detail]);
  const said = FORBIDDEN_REASONS[reason as keyof typeof FORBIDDEN_REASONS];
  expect(message).toBe(reason === 'scope' ? 'The API key does not have the scope payments' : said);
});

test('the roles that may are those of the environment', () => {
  expect(detailOf('p2pTransfer', { session: { role: 'viewer' } }, false)?.[2]).toMatchObject({
    needed_roles: ['owner', 'developer', 'finance'],
  });
});

test.each([
  ['p2pTransfer', { key: KEY }],
  ['p2pTransfer', { key: { ...KEY, allowedCidrs: ['203.0.113.0/24'] } }],
  ['p2pTransfer', { session: { role: 'finance' } }],
  ['createApiKey', { session: { role: 'owner' } }],
])('%s of somebody who may is let through', (operation, given) =>
  expect(detailOf(operation, given)).toBeNull(),
);

test('nothing else at a door is forbidden without a reason', () => {
  const files = ['src/api', 'src/operations'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const bare = files.filter((file) => /refuse(?:<\w+>)?\('FORBIDDEN'/.test(readFileSync(file, 'utf8')));
  expect(bare).toEqual([]);
});
