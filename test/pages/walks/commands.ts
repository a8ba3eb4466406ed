/** The table of commands of docs/install.md: each command by npm and by node, where nothing but `npm ci --omit=dev` is installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../src/administration/project';
import type { Machine, Settings } from '../machine';
import type { Step, Walk } from '../walk';
import { withPerson } from './set-up-the-database';

const PAGE = 'docs/install.md';

interface Command {
  /** The program of Node, as the page has it. */
  node: string;
  /** What follows the name of the command. */
  words: string;
  settings: NonNullable<Step['settings']>;
  /** What is printed; also where the command ends with 1, because here it has something to complain about. */
  says: RegExp;
  isRefused?: true;
}

const administration = (file: string): string => `node dist/src/administration/${file}.js`;
const ALL: Settings = ['platform.env', 'administration.env'];

/** By the name of `npm run`. */
export const COMMANDS: Record<string, Command> = {
  settings: {
    node: administration('settings'),
    words: "--database 'postgres://db.internal:5432/wallet' --folder /etc/partner-wallet",
    settings: [],
    says: /The settings are in/,
  },
  'db:set-up': {
    node: administration('set-up-database'),
    words: '',
    settings: withPerson,
    says: /logins are set up/,
  },
  'db:migrate': {
    node: administration('migrate'),
    words: '',
    settings: ['platform.env', 'migrate.env'],
    says: /up to date/,
  },
  keys: {
    node: administration('keys'),
    words: 'partners',
    settings: ALL,
    says: /^[0-9a-f-]{36} +\w+ +Acme$/m,
  },
  secrets: { node: administration('secrets'), words: 'reseal', settings: ALL, says: /live: DATA_KEY/ },
  'golive:check': {
    node: `${administration('golive')} check`,
    words: '',
    settings: ['platform.env', 'api-live.env'],
    says: /LIVE_PAYOUTS/,
    isRefused: true,
  },
  banks: {
    node: administration('banks'),
    words: '--from nobody',
    settings: ['platform.env', 'api-live.env'],
    says: /^--from: is neither a file nor a company/m,
    isRefused: true,
  },
  'audit:verify': { node: `${administration('audit')} verify`, words: '', settings: ALL, says: /^whole: /m },
  'audit:anchor': {
    node: `${administration('audit')} anchor`,
    words: '',
    settings: ALL,
    says: /^\d+:[0-9a-f]{64}$/m,
  },
  backup: {
    node: administration('backup'),
    words: '/backups/by-HOW',
    settings: ['platform.env', 'migrate.env', 'administration.env'],
    says: /^backup of /m,
  },
  restore: {
    node: administration('restore'),
    words: '/backups/by-HOW',
    settings: ['platform.env', 'migrate.env', 'administration.env'],
    says: /Stop every API and every worker first/,
    isRefused: true,
  },
  repair: { node: administration('repair'), words: 'list --env live', settings: ALL, says: /./ },
  noted: {
    node: administration('noted'),
    words: 'backup --by pgbackrest',
    settings: ALL,
    says: /noted/i,
  },
  'movements:ship': {
    node: `${administration('movements')} ship`,
    words: '--for-nobody',
    settings: ['platform.env', 'movements.env'],
    says: /unknown option/,
    isRefused: true,
  },
  'movements:compare': {
    node: `${administration('movements')} compare`,
    words: '/var/lib/nowhere',
    settings: ['platform.env', 'migrate.env', 'administration.env'],
    says: /is not there/,
    isRefused: true,
  },
  'recon:convert': {
    node: `${administration('recon')} convert`,
    words: '--from xlsx statement.xlsx',
    settings: [],
    says: /xlsx/i,
    isRefused: true,
  },
  release: {
    node: administration('release'),
    words: 'show',
    settings: ['platform.env', 'worker-live.env'],
    says: /the-next-build/,
  },
  'recon:import': {
    node: `${administration('recon')} import`,
    words: '--provider paystack --day 2026-11-23',
    settings: ['platform.env', 'worker-live.env'],
    says: /paystack/i,
    isRefused: true,
  },
  'start:api': {
    node: 'node --max-semi-space-size=32 dist/src/api/main.js',
    words: '',
    settings: spare(['platform.env', 'api-live.env']),
    says: /"version":"0.2.0"/,
  },
  'start:worker': {
    node: 'node dist/src/worker/main.js',
    words: '',
    settings: spare(['platform.env', 'worker-live.env']),
    says: /"version":"0.2.0"/,
  },
};

/** Another process beside those of systemd. */
function spare(files: Settings) {
  return (machine: Machine): Promise<Record<string, string>> =>
    Promise.resolve({
      ...machine.read(files),
      PORT: '0',
      OPERATOR_PORT: machine.noted['spare port'] ?? '',
      WORKER_OPERATOR_PORT: machine.noted['spare port'] ?? '',
    });
}

/** The command line as a person types it for each way. */
function typed(name: string, how: 'npm' | 'node', machine: Machine): string {
  const { node, words, isRefused } = COMMANDS[name] as Command;
  const line = how === 'npm' ? `npm run ${name} -- ${words}` : `${node} ${words}`;
  const given = line.replaceAll('HOW', how).trim();
  if (name.startsWith('start:')) {
    const url = `http://127.0.0.1:${machine.noted['spare port'] ?? ''}`;
    // npm does not pass a signal on, so the whole group gets it.
    return `setsid ${given} & started=$!\nready ${url}\nkill -- "-$started"\nwait "$started" || true`;
  }
  return isRefused ? `if ${given}; then exit 2; fi` : given;
}

/** Carries out a command of the table by npm. */
export async function runByNpm(name: string, machine: Machine): Promise<void> {
  const { settings, says } = COMMANDS[name] as Command;
  const given = typeof settings === 'function' ? await settings(machine) : settings;
  const said = await machine.type(typed(name, 'npm', machine), given);
  expect(said).toMatch(says);
  // Nothing is built there, and a refusal is a sentence.
  expect(said).not.toMatch(/building|not installed|^\s+at .*:\d+:\d+\)?$/m);
}

/** The rows of the table whose program the page names as an instruction. The others stand beside one of these. */
export const theCommands: Walk = {
  page: PAGE,
  steps: Object.entries(COMMANDS).flatMap(([name, { node }]) =>
    hasInstruction(node)
      ? [
          {
            does: node,
            fill: (machine: Machine) => ({ [node]: typed(name, 'node', machine) }),
            settings: (COMMANDS[name] as Command).settings,
            after: (_machine: Machine, said: string) =>
              expect(said).toMatch((COMMANDS[name] as Command).says),
          },
        ]
      : [],
  ),
};

function hasInstruction(node: string): boolean {
  return readFileSync(join(projectFolder(), PAGE), 'utf8').includes(`\`${node}\``);
}
