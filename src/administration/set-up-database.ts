/**
 * `npm run db:set-up -- [area ...]`: makes the logins of a server with the passwords of their addresses, and opens the
 * database to them. Without a name it sets up all areas; where they lie on several servers, it is run for each server
 * with the areas that lie there.
 */
import { Argument, Command } from 'commander';
import { setUpDatabase } from '../db/upkeep/set-up';
import { databaseUrl, passwordIn, provesItsServer } from '../runtime/database-urls';
import { AREAS, connectionBudget, loginsIn, type Area } from '../runtime/logins';
import { administer } from './admin';
import { StartError } from './project';

const LARGE_OBJECTS_STAY =
  'The logins can still make large objects: only a superuser may take that away. See docs/security.md, "Rights that stay".\n';

const program = new Command('npm run db:set-up --')
  .description('Makes the logins of a server, and opens its database to them.')
  .addArgument(
    new Argument('[areas...]', 'what lies on this server; everything, unless named').choices(AREAS),
  )
  .action((named: Area[]) => {
    const areas = named.length > 0 ? named : AREAS;
    const logins = areas.flatMap(loginsIn);
    return administer(logins, async (settings, urls) => {
      const adminUrl = settings.DATABASE_URL_ADMIN ?? urls.DATABASE_URL;
      if (adminUrl === undefined) throw new StartError('DATABASE_URL_ADMIN: is required');
      if (settings.NODE_ENV === 'production' && !provesItsServer(adminUrl)) {
        throw new StartError(
          'DATABASE_URL_ADMIN: needs sslmode=verify-full, because the server is elsewhere',
        );
      }
      const left = await setUpDatabase(adminUrl, areas, (login) => passwordIn(databaseUrl(urls, login)));
      const [api, worker] = (['api', 'worker'] as const).map((one) => connectionBudget(one, areas, settings));
      process.stdout.write(
        `${String(logins.length)} logins are set up. An API process keeps at most ${String(api)} connections to this ` +
          `server, a worker ${String(worker)}. Next: npm run db:migrate\n`,
      );
      if (left.hasLargeObjects) process.stdout.write(LARGE_OBJECTS_STAY);
    });
  });

void program.parseAsync();
