/**
 * `npm run keys -- create | list | partners | revoke | token | operator`: the commands by which an administrator manages
 * credentials (D99, D102).
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { insertPartner, listKeys, revokeKey } from '../db/partners/credentials';
import { listPartnerRecords } from '../db/partners/partner-records';
import { newId } from '../db/pg/ids';
import { cellForNewPartner } from '../db/pg/schema';
import type { Queryable } from '../db/pg/postgres';
import type { Place } from '../db/pg/walks';
import { listOperators, revokeOperator } from '../db/partners/operators';
import { OPERATOR_ROLES, TOKEN_LIFE_MAX_MS, TOKEN_LIFE_MS, type OperatorRole } from '../domain/operators';
import { ENVIRONMENTS, type EnvironmentName, type PartnerRecord } from '../domain/partners';
import { makeKey } from '../operations/partners/keys';
import { startSession } from '../operations/partners/sessions';
import { canonicalId } from '../wire/ids';
import { administerAct, administerAs, administeredSecret, OWNER } from './admin';
import { makeOperatorToken, renewOperatorToken } from './operator-token';
import { readHidden } from './terminal';
import { StartError } from './project';

interface CreateOptions {
  env: EnvironmentName;
  label: string;
  partner?: string;
  newPartner?: string;
  expires?: Date;
}

const uuid = (text: string): string => {
  const id = canonicalId(text, 'other');
  if (!id) throw new InvalidArgumentError('not a uuid');
  return id;
};

const time = (text: string): Date => {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('not a date');
  if (at <= new Date()) throw new InvalidArgumentError('has passed: such a key would never work');
  return at;
};

const tokenEnd = (text: string): Date => {
  const at = time(text);
  if (at.getTime() <= Date.now() + TOKEN_LIFE_MAX_MS) return at;
  throw new InvalidArgumentError('is more than 30 days away');
};

/** Whether a credential works. */
const stateOf = (one: {
  revokedAt: Date | null;
  expiresAt: Date | null;
  admittedAt?: Date | null;
}): string => {
  if (one.revokedAt) return 'revoked';
  if (one.expiresAt && one.expiresAt < new Date()) return 'expired';
  return one.admittedAt === null ? 'waiting' : 'active';
};

/** The newest ones, where there are more. */
const PARTNERS_SHOWN = 20;
/** So many rows are read at once. */
const PARTNERS_READ = 500;

const program = new Command('npm run keys --')
  .description('Creates, lists and revokes API keys.')
  .action(() =>
    administerAs(OWNER, async (db) => {
      process.stdout.write(
        `${program.helpInformation()}\n${choices(await listPartnerRecords(db, { status: null, after: null, limit: PARTNERS_SHOWN }))}`,
      );
    }),
  );

program
  .command('create')
  .description('make a key and show it, once')
  .addOption(
    new Option('--env <name>', 'which environment it acts in').choices(ENVIRONMENTS).default('sandbox'),
  )
  .option('--label <text>', 'what it is for', '')
  .option('--partner <id>', 'of which partner; not needed while there is one partner only', uuid)
  .option(
    '--new-partner <name>',
    'register a partner with this business name first; it moves no money in live yet',
  )
  .option('--expires <date>', 'when it stops working; never, unless given', time)
  .action((options: CreateOptions) =>
    administerAct(async (db, settings) => {
      let partnerId = options.partner;
      const { newPartner } = options;
      if (newPartner !== undefined) {
        partnerId = newId();
        const [sandbox = '', live = ''] = ENVIRONMENTS.map((name) =>
          cellForNewPartner(name, settings.CELLS_PER_ENVIRONMENT),
        );
        await insertPartner(
          db,
          { id: partnerId, businessName: newPartner, email: '', status: 'registered' },
          { sandbox, live },
        );
      }
      partnerId ??= onlyPartner(await listKeys(db));
      const { env: environment, label, expires: expiresAt = null } = options;
      const made = await makeKey(db, { partnerId, environment, label, expiresAt });
      if (!made.ok) throw new StartError('By the clock of the database that time has passed.');
      const { id, keyPrefix } = made.value.record;
      return {
        action: 'createKey',
        resource: `partners/${partnerId}/api-keys/${id}`,
        detail: {
          environment,
          label,
          keyPrefix,
          expiresAt,
          ...(newPartner !== undefined && { newPartner }),
        },
        told: `id       ${id}\npartner  ${partnerId}\nkey      ${made.value.key}\nIt is not shown again.\n`,
      };
    }),
  );

program
  .command('list')
  .description('all keys, without their secrets')
  .action(() =>
    administerAs(OWNER, async (db) => {
      for (const key of await listKeys(db)) {
        const used = key.lastUsedAt?.toISOString() ?? 'never used';
        const columns = [
          key.id,
          key.keyPrefix,
          key.environment.padEnd(7),
          stateOf(key).padEnd(7),
          used.padEnd(24),
        ];
        process.stdout.write(
          `${[...columns, `${key.businessName} (${key.partnerId})`, key.label].join('  ')}\n`,
        );
      }
    }),
  );

program
  .command('partners')
  .description('all partners with their ids and names, the newest first')
  .action(() =>
    administerAs(OWNER, async (db) => {
      for await (const one of allPartners(db)) process.stdout.write(`${partnerLine(one)}\n`);
    }),
  );

program
  .command('revoke')
  .description('stop a key; in force everywhere within five seconds')
  .argument('<id>', 'the id of the key, from `list`', uuid)
  .action((id: string) =>
    administerAct(async (db) => {
      if (!(await revokeKey(db, id, null))) throw new StartError(`No key in force has the id ${id}.`);
      return { action: 'revokeKey', resource: `api-keys/${id}`, detail: {}, told: 'revoked\n' };
    }),
  );

program
  .command('token')
  .description('make an access token, good for an hour')
  .addOption(
    new Option('--env <name>', 'which environment it acts in').choices(ENVIRONMENTS).default('sandbox'),
  )
  .option('--partner <id>', 'of which partner; not needed while there is one partner only', uuid)
  .action(({ env: environment, partner }: Pick<CreateOptions, 'env' | 'partner'>) =>
    administerAct(async (db, settings) => {
      const partnerId = partner ?? onlyPartner(await listKeys(db));
      const key = administeredSecret(settings, 'JWT_KEY');
      const who = { partnerId, userId: null, environment, address: null, network: null };
      return {
        action: 'createAccessToken',
        resource: `partners/${partnerId}`,
        detail: { environment },
        told: `${await startSession(db, key, who)}\n`,
      };
    }),
  );

const operator = program.command('operator').description('tokens of the operator port');

operator
  .command('create')
  .description('give a person a token and show it, once')
  .argument('<name>', 'who: one person, one name, one token')
  .addOption(
    new Option('--role <role>', 'a viewer changes nothing').choices(OPERATOR_ROLES).default('operator'),
  )
  .option(
    '--expires <date>',
    'when it stops working; in 12 hours, unless given, and within 30 days',
    tokenEnd,
  )
  .action((name: string, options: { role: OperatorRole; expires?: Date }) =>
    administerAct(async (db) => {
      const { role, expires: expiresAt = new Date(Date.now() + TOKEN_LIFE_MS) } = options;
      const made = await makeOperatorToken(db, name, role, expiresAt);
      if (!made) throw new StartError(`${name} has a token in force. Revoke it first.`);
      return {
        action: 'createOperator',
        resource: `operators/${made.id}`,
        detail: { name, role, expiresAt, works: made.works },
        told:
          toldToken(made.id, made.token, expiresAt) +
          (made.works
            ? ''
            : `It works once another operator admits it: POST /ops/operators/${made.id}/admit\n`),
      };
    }),
  );

operator
  .command('renew')
  .description('give a person the next token for the last one, which is asked for; nobody admits it again')
  .argument('<name>', 'who, from `list`')
  .option('--expires <date>', 'as with `create`, and no later than 30 days after the admission', tokenEnd)
  .action(async (name: string, options: { expires?: Date }) => {
    const last = await readHidden(`The last token of ${name}: `);
    await administerAct(async (db) => {
      const until = options.expires ?? new Date(Date.now() + TOKEN_LIFE_MS);
      const renewed = await renewOperatorToken(db, name, last, until);
      if (!renewed) {
        throw new StartError(
          `That is not the last token of ${name}, or it was revoked, or was admitted more than 30 days ago. A new token ` +
            'is made with `operator create`, after `operator revoke` where the last one still works.',
        );
      }
      const { id, token, role, expiresAt } = renewed;
      return {
        action: 'renewOperator',
        resource: `operators/${id}`,
        detail: { name, role, expiresAt },
        told: toldToken(id, token, expiresAt),
      };
    });
  });

operator
  .command('list')
  .description('all operators, without their tokens')
  .action(() =>
    administerAs(OWNER, async (db) => {
      for (const one of await listOperators(db)) {
        const columns = [
          one.id,
          one.tokenPrefix,
          one.role.padEnd(8),
          stateOf(one).padEnd(7),
          one.expiresAt.toISOString(),
          one.name,
        ];
        process.stdout.write(`${columns.join('  ')}\n`);
      }
    }),
  );

operator
  .command('revoke')
  .description("stop a person's token, at once")
  .argument('<name>', 'who, from `list`')
  .action((name: string) =>
    administerAct(async (db) => {
      if (!(await revokeOperator(db, name))) throw new StartError(`${name} has no token in force.`);
      return { action: 'revokeOperator', resource: 'operators', detail: { name }, told: 'revoked\n' };
    }),
  );

void program.parseAsync();

/** A token as its person sees it, once. */
const toldToken = (id: string, token: string, expiresAt: Date): string =>
  `id       ${id}\ntoken    ${token}\nexpires  ${expiresAt.toISOString()}\nIt is not shown again.\n`;

/** All partners, the newest first. They are read in pages. */
async function* allPartners(db: Queryable): AsyncGenerator<PartnerRecord> {
  for (let after: Place | null = null; ;) {
    const page: PartnerRecord[] = await listPartnerRecords(db, { status: null, after, limit: PARTNERS_READ });
    yield* page;
    const last = page.at(-1);
    if (page.length < PARTNERS_READ || !last) return;
    after = last;
  }
}

const partnerLine = ({ id, businessName, status }: PartnerRecord): string =>
  `${id}  ${status.padEnd(14)}  ${businessName}`;

/** What a person may name in the options, with a command to copy. */
function choices(partners: PartnerRecord[]): string {
  const lines = partners.map((one) => `  ${partnerLine(one)}`);
  return [
    `Environments (--env):   ${ENVIRONMENTS.join(', ')}`,
    `Operators' roles (--role):   ${OPERATOR_ROLES.join(', ')}`,
    partners.length === 0 ? 'There is no partner yet.' : 'Partners (--partner):',
    ...lines,
    '',
    'For example:',
    `  npm run keys -- create --env sandbox --label backend --partner ${partners[0]?.id ?? '<id>'}`,
    '  npm run keys -- create --new-partner "Acme"',
    '',
  ].join('\n');
}

function onlyPartner(keys: { partnerId: string }[]): string {
  const partners = [...new Set(keys.map((key) => key.partnerId))];
  if (partners.length === 1 && partners[0]) return partners[0];
  throw new StartError('Which partner? Name one with --partner, or register one with --new-partner.');
}
