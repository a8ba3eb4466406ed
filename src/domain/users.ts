/** The people of a partner, and those who were invited. */
import type { Role } from './roles';

export interface UserRecord {
  id: string;
  email: string;
  role: Role;
  /** When the user proved to read mails to the address; null before. */
  emailConfirmedAt: Date | null;
  createdAt: Date;
}

/** A user as operators see one. */
export interface UserForOperators extends UserRecord {
  /** When one-time codes were switched on; null while they are off. */
  codesEnabledAt: Date | null;
}

export interface InvitationRecord {
  id: string;
  email: string;
  role: Role;
  expiresAt: Date;
  createdAt: Date;
}
