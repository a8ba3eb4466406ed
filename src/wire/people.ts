/** The people of a partner and its invitations, as the interface shows them. */
import { z } from 'zod';
import { map, type Outcome } from '../domain/outcome';
import { ROLES, type Role } from '../domain/roles';
import type { InvitationRecord, UserRecord } from '../domain/users';
import { timestamp, uuid } from './answers';
import { email, newPassword, oneUseToken } from './proofs';
import { PERSONAL } from './fields';
import { publishedBody, readBody } from './read';

const role = z.enum(ROLES);
const invitationSchema = z.object({ email: email.meta({ examples: ['finance@acme.example'] }), role });
const roleSchema = z.object({ role });
const acceptanceSchema = z.object({ token: oneUseToken, password: newPassword });

export const invitationBody = publishedBody('InvitationRequest', invitationSchema);
export const roleBody = publishedBody('RoleChange', roleSchema);
export const acceptanceBody = publishedBody('InvitationAcceptance', acceptanceSchema);

export const readInvitation = (body: unknown): Outcome<{ email: string; role: Role }> =>
  readBody(invitationSchema, body);
export const readRole = (body: unknown): Outcome<Role> =>
  map(readBody(roleSchema, body), (read) => read.role);
export const readAcceptance = (body: unknown): Outcome<{ token: string; password: string }> =>
  readBody(acceptanceSchema, body);

const address = z.string().meta({ ...PERSONAL, examples: ['finance@acme.example'] });

export const userInfo = z
  .object({
    id: uuid,
    email: address,
    role,
    email_confirmed_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'User' });

export const writeUser = (user: UserRecord): z.infer<typeof userInfo> => ({
  id: user.id,
  email: user.email,
  role: user.role,
  email_confirmed_at: user.emailConfirmedAt?.toISOString() ?? null,
  created_at: user.createdAt.toISOString(),
});

export const invitationInfo = z
  .object({ id: uuid, email: address, role, expires_at: timestamp, created_at: timestamp })
  .meta({ id: 'Invitation' });

export const writeInvitation = (invitation: InvitationRecord): z.infer<typeof invitationInfo> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  expires_at: invitation.expiresAt.toISOString(),
  created_at: invitation.createdAt.toISOString(),
});
