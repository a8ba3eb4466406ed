/**
 * What the people of a partner may do, by role: declared once, read by the door of the API, the database and the
 * reference. API keys are for programs and have no role: they keep working when the person who made them is removed.
 */

export const ROLES = ['owner', 'developer', 'finance', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

interface Permission {
  /** What it covers, as the end of "may". */
  covers: string;
  inSandbox: readonly Role[];
  inLive: readonly Role[];
}

const EVERYBODY = ROLES;

/** Each operation of the route table needs one of these. */
export const PERMISSIONS = {
  self: {
    covers: 'look after the own sessions, password and one-time codes',
    inSandbox: EVERYBODY,
    inLive: EVERYBODY,
  },
  look: {
    covers: 'see wallets, transactions, webhook endpoints and the state of the compliance record',
    inSandbox: EVERYBODY,
    inLive: EVERYBODY,
  },
  pay: {
    covers: 'move money out of a wallet',
    inSandbox: ['owner', 'developer', 'finance'],
    inLive: ['owner', 'finance'],
  },
  run: {
    covers: 'create, freeze and close wallets, set PINs, verify end users, and drive the sandbox',
    inSandbox: ['owner', 'developer'],
    inLive: ['owner', 'developer'],
  },
  webhooks: {
    covers: 'change webhook endpoints, and send events again',
    inSandbox: ['owner', 'developer'],
    inLive: ['owner', 'developer'],
  },
  keys: {
    covers: 'make, list and delete API keys',
    inSandbox: ['owner', 'developer'],
    // A live key moves money, which a developer may not.
    inLive: ['owner'],
  },
  represent: {
    covers: 'submit the compliance steps of the company',
    inSandbox: ['owner', 'developer'],
    inLive: ['owner'],
  },
  people: {
    covers: 'invite and remove people, change their roles, and see the security events',
    inSandbox: ['owner'],
    inLive: ['owner'],
  },
} as const satisfies Record<string, Permission>;

export type PermissionName = keyof typeof PERMISSIONS;

/** The roles that may. @param isLive whether the money of the environment is real. */
export function rolesFor(permission: PermissionName, isLive: boolean): readonly Role[] {
  const { inSandbox, inLive } = PERMISSIONS[permission];
  return isLive ? inLive : inSandbox;
}

/** @param isLive whether the money of the environment is real. */
export const may = (role: Role, permission: PermissionName, isLive: boolean): boolean =>
  rolesFor(permission, isLive).includes(role);
