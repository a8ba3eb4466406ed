/** docs/how-to/set-up-the-database.md: the person and the database before an installation, and what the page says beside it. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADMINISTRATION, type Machine } from '../machine';
import type { Walk } from '../walk';

const PAGE = 'docs/how-to/set-up-the-database.md';
const PERSON = "CREATE ROLE ada LOGIN CREATEROLE PASSWORD '...';";

/** The person and the database of another server. */
export async function prepareOtherServer(machine: Machine, database: string): Promise<void> {
  await machine.sql(
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ada') THEN ${PERSON} END IF;
     END $$;`,
    'postgres',
    machine.otherPostgres,
  );
  for (const sql of [`DROP DATABASE IF EXISTS ${database}`, `CREATE DATABASE ${database} OWNER ada`])
    await machine.sql(sql, 'postgres', machine.otherPostgres);
}

/** The variables of an administrator, with the address of the person. */
export const withPerson = (machine: Machine): Promise<Record<string, string>> =>
  Promise.resolve({
    ...machine.read(ADMINISTRATION),
    DATABASE_URL_ADMIN: `postgres://ada:correct-horse@${new URL(machine.postgres.url).host}/wallet`,
  });

export const prepareTheDatabase: Walk = {
  page: PAGE,
  // The embedded server comes with a database of this name.
  steps: [{ does: PERSON, before: async (machine) => void (await machine.sql('DROP DATABASE wallet')) }],
};

const settingsFolder = ({ root }: Machine): string => join(root, 'etc', 'partner-wallet');

export const setUpTheDatabase: Walk = {
  page: PAGE,
  steps: [
    { does: 'npm run settings -- --folder…', ...onOtherServers() },
    {
      does: 'openssl rand -hex 24',
      after: (_machine, said) => expect(said).toMatch(/^[0-9a-f]{48}\n$/),
    },
    { does: 'npm run db:set-up', settings: withPerson, after: isSetUp },
    { does: 'node dist/src/administration/set-up-database.js', settings: withPerson, after: isSetUp },
    { does: 'npm run db:migrate', settings: ADMINISTRATION, after: isMigrated },
    { does: 'node dist/src/administration/migrate.js', settings: ADMINISTRATION, after: isMigrated },
  ],
};

function isSetUp(_machine: Machine, said: string): void {
  expect(said).toMatch(/\d+ logins are set up/);
}

function isMigrated(_machine: Machine, said: string): void {
  expect(said).toContain('up to date');
}

/** As at a new installation: the settings of the one that runs here are put away meanwhile. */
function onOtherServers() {
  return {
    before: async (machine: Machine) => {
      await prepareOtherServer(machine, 'wallet');
      await prepareOtherServer(machine, 'trial');
      renameSync(settingsFolder(machine), `${settingsFolder(machine)}.away`);
    },
    after: async (machine: Machine, said: string) => {
      expect(said.match(/logins are set up/g)).toHaveLength(2);
      expect(await machine.type('administer migrate')).toContain('applied');
      const areas = (database: string) =>
        machine.sql(
          `SELECT string_agg(nspname, ' ' ORDER BY nspname) AS schemas FROM pg_namespace WHERE nspname IN ('platform', 'sandbox', 'live', 'sandbox_0', 'live_0')`,
          database,
          machine.otherPostgres,
        );
      expect(await areas('wallet')).toMatch(/live.*platform/);
      expect(await areas('wallet')).not.toContain('sandbox_0');
      expect(await areas('trial')).toContain('sandbox_0');
      rmSync(settingsFolder(machine), { recursive: true });
      renameSync(`${settingsFolder(machine)}.away`, settingsFolder(machine));
    },
  };
}
