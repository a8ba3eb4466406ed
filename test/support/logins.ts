/** The addresses of the platform's logins on a test's database. They all have the password of its owner. */
import { databaseUrl, migrateUrls } from '../../src/runtime/database-urls';
import type { Login } from '../../src/runtime/logins';

/** The address of a login, from that of the database's owner. */
export const asLogin = (ownerUrl: string, login: Login): string =>
  databaseUrl({ DATABASE_URL: ownerUrl }, login);

/** The addresses for `migrateDatabase`. */
export const asOwners = (ownerUrl: string) => migrateUrls({ DATABASE_URL: ownerUrl });
