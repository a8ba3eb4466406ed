/**
 * What happens around a partner's people and credentials, by kind: the sentence that says it, and whether the
 * partner is told by mail. The list of security events, the mails and the reference use these names.
 */

import type { EnvironmentName } from './partners';

/**
 * `always`: each time. `hourly`: at most once an hour for each person and kind, because a stranger can cause the
 * event as often as they like. `never`: it stands in the list only.
 */
type Mailed = 'always' | 'hourly' | 'never';

interface Kind {
  sentence: string;
  mailed: Mailed;
}

export const SECURITY_EVENT_KINDS = {
  'account.registered': { sentence: 'The account was registered.', mailed: 'never' },
  'account.cleared': {
    sentence:
      'The email address was proved for the first time, which ended the API keys, sessions, invitations, other users, one-time codes and webhook endpoints that were made before, and took back what was submitted of the compliance record.',
    mailed: 'always',
  },
  'email.confirmation_asked': {
    sentence: 'Another mail to confirm an address was asked for.',
    mailed: 'never',
  },
  'email.confirmed': { sentence: 'The email address was confirmed.', mailed: 'never' },
  'email.change_asked': { sentence: 'Another email address was asked for.', mailed: 'always' },
  'email.changed': { sentence: 'The email address of a user was changed.', mailed: 'always' },
  'email.taken_back': {
    sentence:
      'A user took the earlier email address back, which ended what the user had been able to make since it was changed.',
    mailed: 'always',
  },

  'session.started': { sentence: 'Somebody signed in.', mailed: 'never' },
  'session.refused': {
    sentence: 'A sign-in was refused, because there were too many wrong attempts.',
    mailed: 'hourly',
  },
  'session.ended': { sentence: 'Somebody logged out.', mailed: 'never' },
  'session.all_ended': { sentence: 'Somebody logged out everywhere.', mailed: 'always' },
  'session.proved': { sentence: 'Somebody proved who they are once more.', mailed: 'never' },

  'password.changed': { sentence: 'The password was changed.', mailed: 'always' },
  'password.reset_asked': { sentence: 'A new password was asked for.', mailed: 'never' },
  'password.reset': { sentence: 'The password was replaced with a mailed token.', mailed: 'always' },

  'totp.enabled': { sentence: 'One-time codes were switched on.', mailed: 'always' },
  'totp.disabled': { sentence: 'One-time codes were switched off.', mailed: 'always' },
  'totp.reset': { sentence: 'The platform reset the one-time codes of a user.', mailed: 'always' },
  'totp.recovery_code_used': { sentence: 'A recovery code was used.', mailed: 'always' },
  'totp.recovery_codes_made': { sentence: 'New recovery codes were made.', mailed: 'always' },

  'user.invited': { sentence: 'Somebody was invited.', mailed: 'always' },
  'user.invitation_withdrawn': { sentence: 'An invitation was withdrawn.', mailed: 'never' },
  'user.joined': { sentence: 'Somebody who was invited has joined.', mailed: 'always' },
  'user.removed': { sentence: 'A user was removed.', mailed: 'always' },
  'user.role_changed': { sentence: 'The role of a user was changed.', mailed: 'always' },

  'api_key.made': { sentence: 'An API key for the sandbox was made.', mailed: 'never' },
  'api_key.made_live': { sentence: 'An API key for live was made.', mailed: 'always' },
  'api_key.rotated': { sentence: 'An API key for the sandbox was replaced.', mailed: 'never' },
  'api_key.rotated_live': { sentence: 'An API key for live was replaced.', mailed: 'always' },
  'api_key.expires_soon': { sentence: 'An API key ends soon.', mailed: 'always' },
  'api_key.deleted': { sentence: 'An API key was deleted.', mailed: 'never' },

  'webhook_endpoint.added': {
    sentence: 'A webhook endpoint of the sandbox was added, with a secret of its own.',
    mailed: 'never',
  },
  'webhook_endpoint.added_live': {
    sentence: 'A webhook endpoint of live was added, with a secret of its own.',
    mailed: 'always',
  },
  'webhook_endpoint.changed': { sentence: 'A webhook endpoint of the sandbox was changed.', mailed: 'never' },
  'webhook_endpoint.changed_live': {
    sentence: 'A webhook endpoint of live was changed.',
    mailed: 'always',
  },
  'webhook_endpoint.deleted': { sentence: 'A webhook endpoint of the sandbox was deleted.', mailed: 'never' },
  'webhook_endpoint.deleted_live': {
    sentence: 'A webhook endpoint of live was deleted.',
    mailed: 'always',
  },
  'webhook_secret.replaced': {
    sentence: 'The secret of a webhook endpoint of the sandbox was replaced.',
    mailed: 'never',
  },
  'webhook_secret.replaced_live': {
    sentence: 'The secret of a webhook endpoint of live was replaced.',
    mailed: 'always',
  },
} as const satisfies Record<string, Kind>;

export type SecurityEventKind = keyof typeof SECURITY_EVENT_KINDS;

/**
 * What happens around the webhook endpoints of an environment. It is written in their cell first, and brought to the
 * list afterwards, because a cell and the list of events may lie on two servers.
 */
export const CELL_ACTS = {
  endpoint_added: { sandbox: 'webhook_endpoint.added', live: 'webhook_endpoint.added_live' },
  endpoint_changed: { sandbox: 'webhook_endpoint.changed', live: 'webhook_endpoint.changed_live' },
  endpoint_deleted: { sandbox: 'webhook_endpoint.deleted', live: 'webhook_endpoint.deleted_live' },
  secret_replaced: { sandbox: 'webhook_secret.replaced', live: 'webhook_secret.replaced_live' },
} as const satisfies Record<string, Record<EnvironmentName, SecurityEventKind>>;

export const CELL_EVENT_KINDS = Object.values(CELL_ACTS).flatMap(({ sandbox, live }) => [sandbox, live]);

/** A security event as it is recorded. */
export interface SecurityEvent {
  partnerId: string;
  /** The user who acts or is meant; null where that is not known. */
  userId: string | null;
  kind: SecurityEventKind;
  /** The network address of the caller, as the trusted proxies tell it; null where nobody called. */
  address: string | null;
  /**
   * What a reader needs to recognise the event, such as the first characters of a key. Never a secret, a token or
   * a code.
   */
  detail: Record<string, string>;
}

/** The same as it was kept. */
export interface SecurityEventRecord extends SecurityEvent {
  id: string;
  createdAt: Date;
}
