/**
 * What an API key is good for. Keys are for programs: a program that only reads should not be able to pay when its key is
 * stolen (D197). Which operations a scope covers follows from what a person would need for them (`PERMISSIONS`).
 */
import type { PermissionName } from './roles';

/** Each scope with the end of "may" and the permissions that it covers. */
export const KEY_SCOPES = {
  read: { covers: 'read everything that the partner may see', permissions: ['look'] },
  payments: { covers: 'move money out of a wallet', permissions: ['pay'] },
  webhooks: { covers: 'change webhook endpoints, and send events again', permissions: ['webhooks'] },
  admin: {
    covers:
      'create, freeze and close wallets, set PINs, verify end users, submit compliance steps, and drive the sandbox',
    permissions: ['run', 'represent'],
  },
} as const satisfies Record<string, { covers: string; permissions: readonly PermissionName[] }>;

/** How many networks a key may name. */
export const KEY_CIDRS_MAX = 20;

export type KeyScope = keyof typeof KEY_SCOPES;
export const KEY_SCOPE_NAMES = Object.keys(KEY_SCOPES) as KeyScope[];

/** How many days before a key ends its partner is told: once, and once more. */
export const KEY_NOTICE_DAYS = [7, 1] as const;

/** A key that may do everything from everywhere. */
export const UNBOUNDED = { scopes: KEY_SCOPE_NAMES, allowedCidrs: [] } as const;

/** The scope that a key needs for this permission; null where only a person may act. */
export const scopeFor = (permission: PermissionName): KeyScope | null => SCOPE_OF.get(permission) ?? null;

const SCOPE_OF = new Map<PermissionName, KeyScope>(
  KEY_SCOPE_NAMES.flatMap((scope) =>
    KEY_SCOPES[scope].permissions.map((permission) => [permission, scope] as const),
  ),
);
