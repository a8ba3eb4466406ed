/** Sessions of people who have signed in: what the platform keeps of them, and what they have to prove again. */
import type { EnvironmentName } from './partners';
import type { Role } from './roles';

/** What gives away live money asks for a proof that is no older, in milliseconds (D168). */
export const PROOF_FRESH_MS = 600_000;

/** The session behind an access token, as a request needs it. */
export interface SignedIn {
  sessionId: string;
  partnerId: string;
  environment: EnvironmentName;
  /** The user; null where the administrator has made the token (`npm run keys -- token`). */
  userId: string | null;
  /** The role of the user. The administrator may do what an owner may. */
  role: Role;
  expiresAt: Date;
}

/** A session as its user may see it. */
export interface SessionRecord {
  id: string;
  environment: EnvironmentName;
  /** The network address from which it was begun; null where that is not known. */
  address: string | null;
  /** When its user last gave the password. */
  provedAt: Date;
  expiresAt: Date;
  createdAt: Date;
}
