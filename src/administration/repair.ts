/**
 * `npm run repair -- list | propose | approve`: makes damage of the books good without a statement by hand. The
 * administrator proposes, and an operator approves with the token of the operator port: two people. What is booked follows
 * from the damage (`domain/repairs.ts`), and both leave sealed rows in the operators' trail.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findOperator } from '../db/partners/operators';
import { openPatientPool } from '../db/pg/postgres';
import { cellNames } from '../db/pg/schema';
import { findFindingInCells } from '../db/reconcile/finding-list';
import {
  applyRepairs,
  findRepairs,
  insertRepairs,
  listRepairable,
  planRepair,
  type RepairEnd,
} from '../db/reconcile/repairs';
import { appendAudit } from '../db/upkeep/audit';
import { ADMINISTRATOR, type AuditEntry } from '../domain/audit';
import { nairaText } from '../domain/money';
import { ENVIRONMENTS, type EnvironmentName } from '../domain/partners';
import { balancingPostings, isRepaired, type PlannedRepair } from '../domain/repairs';
import type { StartConfig } from '../runtime/config';
import { databaseUrl, type DatabaseUrls } from '../runtime/database-urls';
import { hashApiKey, isKey } from '../wire/api-keys';
import { canonicalId } from '../wire/ids';
import { OPERATOR_TOKEN_PREFIX } from '../wire/operators';
import { accountName, administer, OWNER, trailKeys } from './admin';
import { StartError } from './project';

const CONNECT_MS = 10_000;

interface Opened {
  env: EnvironmentName;
  /** The owner of the schemas of the environment. */
  books: ReturnType<typeof openPatientPool>;
  platform: ReturnType<typeof openPatientPool>;
  cells: readonly string[];
  note(entry: Pick<AuditEntry, 'operator' | 'action' | 'resource' | 'phase' | 'detail'>): Promise<void>;
}

/** Opens the books of an environment and the platform with their owners' logins, and closes them afterwards. */
const withBooks = (env: EnvironmentName, work: (opened: Opened) => Promise<void>): Promise<void> =>
  administer([OWNER, `${env}_migrate`], async (settings: StartConfig, urls: DatabaseUrls) => {
    const [key] = trailKeys(settings);
    if (!key) throw new StartError('No AUDIT_KEY is known.');
    const open = (login: Parameters<typeof databaseUrl>[1]) =>
      openPatientPool(databaseUrl(urls, login), CONNECT_MS);
    const [books, platform] = [open(`${env}_migrate`), open(OWNER)];
    try {
      await work({
        env,
        books,
        platform,
        cells: cellNames(env, settings.CELLS_PER_ENVIRONMENT),
        async note(entry) {
          const detail = { ...entry.detail, environment: env, account: accountName() };
          await appendAudit(platform, key, { ...entry, requestId: '', detail });
        },
      });
    } finally {
      await Promise.all([books.end(), platform.end()]);
    }
  });

async function list({ books, cells }: Opened): Promise<void> {
  const found = (await Promise.all(cells.map((schema) => listRepairable(books, schema)))).flat();
  const lines = found.map(({ id, class: of, resource }) => `${id}  ${of}  ${resource}`);
  process.stdout.write(`${lines.join('\n') || 'No finding is open that a repair ends.'}\n`);
}

interface Proposed {
  env: EnvironmentName;
  finding: string;
  by: string;
  note: string;
  evidence: string;
}

async function propose({ books, cells, note }: Opened, asked: Proposed): Promise<void> {
  const inCells = cells.map((schema) => ({ schema, pool: books }));
  const found = await findFindingInCells(inCells, asked.finding);
  if (!found || found.finding.closedAt) throw new StartError('There is no such open finding.');
  const { finding, cell } = found;
  if (!isRepaired(finding.class)) {
    throw new StartError(`A repair does not end ${finding.class}. docs/runbook.md says what does.`);
  }
  const planned = await planRepair(books, cell.schema, finding);
  if (planned.length === 0) {
    throw new StartError('There is no damage left. The next run of the reconciliation closes the finding.');
  }
  const row = {
    operator: ADMINISTRATOR,
    action: 'proposeRepair',
    resource: `findings/${finding.id}`,
    detail: { class: finding.class, planned, by: asked.by, note: asked.note, evidenceRef: asked.evidence },
  };
  await note({ ...row, phase: 'asked' });
  const id = await insertRepairs(books, cell.schema, planned, {
    findingId: finding.id,
    note: asked.note,
    evidenceRef: asked.evidence,
    proposedBy: asked.by,
  });
  await note({ ...row, phase: 'done', detail: { proposal: id } });
  process.stdout.write(`${planned.map(told).join('\n')}\nproposal ${id}\nNothing is booked yet. `);
  process.stdout.write(`An operator approves it: npm run repair -- approve ${id} --env ${asked.env}\n`);
}

const naira = (kobo: number): string => `NGN ${nairaText(kobo)}`;

/** What a person reads of one part of a repair. */
function told({ kind, resource, step, terms }: PlannedRepair): string {
  if (kind === 'account') {
    const { balanceKobo, heldKobo } = terms;
    return `wallet ${resource}: balance ${naira(balanceKobo)}, set aside ${naira(heldKobo)}`;
  }
  const booked = balancingPostings(terms).map((one) => `  ${one.account} ${naira(one.amountKobo)}`);
  return [
    `transaction ${resource}, ${step}: sums to ${naira(terms.sumKobo)}`,
    ...(booked.length > 0 ? booked : ['  nothing is booked: a removed entry is noted as known']),
  ].join('\n');
}

async function approve({ books, platform, cells, note, env }: Opened, id: string): Promise<void> {
  const token = await readToken();
  const operator = isKey(OPERATOR_TOKEN_PREFIX, token)
    ? await findOperator(platform, hashApiKey(token))
    : null;
  if (operator?.role !== 'operator') throw new StartError('That is no token of an operator that works.');
  for (const schema of cells) {
    const repairs = await findRepairs(books, schema, id);
    if (repairs.length === 0) continue;
    const row = { operator, action: 'approveRepair', resource: `repairs/${id}` };
    await note({ ...row, phase: 'asked', detail: { repairs } });
    const end = await applyRepairs(books, schema, id, operator.name);
    const isDone = end === 'approved' || end === 'before';
    await note({ ...row, phase: isDone ? 'done' : 'refused', detail: { end } });
    if (!isDone) throw new StartError(ENDS[end]);
    process.stdout.write(`${ENDS[end]}\n`);
    return;
  }
  throw new StartError(`There is no such proposal in ${env}.`);
}

const ENDS: Record<RepairEnd, string> = {
  approved: 'The books are repaired. Payouts that waited for it go on within a minute.',
  before: 'It was approved before. Nothing was done again.',
  expired: 'The proposal is older than a day. Look again, and propose again.',
  same_person: 'Whoever has proposed it cannot approve it.',
  changed: 'The damage is another one by now. Look again, and propose again.',
};

/** Reads the token from the terminal, without showing it, or from a pipe: an argument would be in the shell's history. */
async function readToken(): Promise<string> {
  const { stdin, stderr } = process;
  const isTerminal = stdin.isTTY;
  if (isTerminal) stderr.write('Token of the operator: ');
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output, terminal: isTerminal });
  for await (const line of reader) {
    reader.close();
    if (isTerminal) stderr.write('\n');
    return line.trim();
  }
  return '';
}

const uuid = (text: string): string => {
  const id = canonicalId(text, 'other');
  if (!id) throw new InvalidArgumentError('not a uuid');
  return id;
};
const filled = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('is empty');
  return text.trim();
};

const program = new Command('npm run repair --').description('Makes damage of the books good.');
const environment = () =>
  new Option('--env <name>', 'in which environment').choices(ENVIRONMENTS).makeOptionMandatory();

program
  .command('list')
  .description('show the open findings that a repair ends')
  .addOption(environment())
  .action(({ env }: { env: EnvironmentName }) => withBooks(env, list));
program
  .command('propose')
  .description('say what would be booked to end a finding, and keep it for an operator')
  .addOption(environment())
  .requiredOption('--finding <id>', 'which finding', uuid)
  .requiredOption('--by <name>', 'your name; an operator of another name approves', filled)
  .requiredOption('--note <text>', 'what has happened', filled)
  .requiredOption('--evidence <text>', 'where it is kept how you know', filled)
  .action((asked: Proposed) => withBooks(asked.env, (opened) => propose(opened, asked)));
program
  .command('approve')
  .description('as an operator: carry out a proposal; asks for your token')
  .argument('<proposal>', 'its id', uuid)
  .addOption(environment())
  .action((id: string, { env }: { env: EnvironmentName }) => withBooks(env, (opened) => approve(opened, id)));

void program.parseAsync();
