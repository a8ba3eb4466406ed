/**
 * `npm run secrets -- reseal`: makes everything that is stored under a data key or the key of the blind index anew
 * under the newest key, and says which keys may be retired (docs/how-to/rotate-a-secret.md).
 */
import { Command, Option } from 'commander';
import { cellNames, directoryOf } from '../db/pg/schema';
import { ENVIRONMENTS, type EnvironmentName } from '../domain/partners';
import { acceptedOf, type SecretName } from '../runtime/secret-names';
import type { StartConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import type { Login } from '../runtime/logins';
import { createBlindIndex } from '../secrets/blind-index';
import {
  KEYED_COLUMNS,
  KEYED_COLUMNS_OF_DIRECTORY,
  KEYED_COLUMNS_OF_PLATFORM,
  type Keys,
} from '../secrets/keyed-columns';
import { createSealing } from '../secrets/sealing';
import { administer, administeredSecret, OWNER, withDatabase } from './admin';
import { resealAll, type UnderKey } from './reseal';

const PAGE_SIZE = 500;
/** What belongs to people, and so to no environment, is sealed under the key of live. */
const SEALS_PEOPLE = { sandbox: false, live: true } as const;
const DATA_KEY_OF = { sandbox: 'DATA_KEY_SANDBOX', live: 'DATA_KEY_LIVE' } as const;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const program = new Command('npm run secrets --').description('Works on what is stored under a secret.');

program
  .command('reseal')
  .description('make everything anew under the newest key; may be ended and run again at any time')
  .addOption(new Option('--env <name>', 'one environment; both, unless given').choices(ENVIRONMENTS))
  .action(({ env }: { env?: EnvironmentName }) => {
    const asked = env === undefined ? ENVIRONMENTS : [env];
    const owners = asked.flatMap((one): Login[] =>
      SEALS_PEOPLE[one] ? [ownerOf(one), OWNER] : [ownerOf(one)],
    );
    return administer(owners, async (settings, urls) => {
      for (const environment of asked) {
        const common = { keys: keysOf(settings, environment), pageSize: PAGE_SIZE, tell: say };
        const schemas = cellNames(environment, settings.CELLS_PER_ENVIRONMENT);
        const left = await withDatabase(databaseUrl(urls, ownerOf(environment)), (db) =>
          resealAll(db, { ...common, schemas, columns: KEYED_COLUMNS }),
        );
        const leftInDirectory = await withDatabase(databaseUrl(urls, ownerOf(environment)), (db) =>
          resealAll(db, {
            ...common,
            schemas: [directoryOf(environment)],
            columns: KEYED_COLUMNS_OF_DIRECTORY,
          }),
        );
        for (const one of together([...left, ...leftInDirectory])) sayLeft(environment, one);
        if (!SEALS_PEOPLE[environment]) continue;
        const ofPeople = await withDatabase(databaseUrl(urls, OWNER), (db) =>
          resealAll(db, { ...common, schemas: ['platform'], columns: KEYED_COLUMNS_OF_PLATFORM }),
        );
        for (const one of ofPeople) sayLeft('platform', one);
      }
    });
  });

/** The counts of each key, from several places. */
function together(counts: readonly UnderKey[]): UnderKey[] {
  const sums = new Map<string, UnderKey>();
  for (const one of counts) {
    const known = sums.get(`${one.key} ${one.name}`);
    sums.set(`${one.key} ${one.name}`, { ...one, values: one.values + (known?.values ?? 0) });
  }
  return [...sums.values()];
}

/** The login that may change what the processes may only insert. */
const ownerOf = (environment: EnvironmentName) => `${environment}_migrate` as const;

function sayLeft(environment: EnvironmentName | 'platform', { key, name, values, isNewest }: UnderKey): void {
  const which = `${environment}: ${key} ${name}`;
  if (isNewest) say(`${which} is the newest: ${String(values)} values`);
  else if (values === 0) say(`${which}: no value is sealed with this key any more; it may be retired`);
  else {
    say(`${which}: ${String(values)} values are LEFT. A process still uses it, or it is not known here.`);
    process.exitCode = 1;
  }
}

function keysOf(settings: StartConfig, environment: EnvironmentName): Keys {
  const values = (name: SecretName): [string, string[]] => [
    administeredSecret(settings, name),
    settings[acceptedOf(name)] ?? [],
  ];
  return {
    sealing: createSealing(...values(DATA_KEY_OF[environment])),
    blindIndex: createBlindIndex(environment, ...values('BLIND_INDEX_KEY')),
  };
}

void program.parseAsync();
