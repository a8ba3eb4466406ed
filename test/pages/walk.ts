/**
 * A walk carries out the instructions of one page, in the page's order. `accounts` says what no walk carries out: a
 * block that somebody adds to a page fails the check until it has a step or a row.
 */
import { ELSEWHERE } from './elsewhere';
import { instructionsOf, nameOf, type Instruction } from './instructions';
import type { Machine, Settings } from './machine';

export interface Step {
  /** Which instruction, as `names` reads it. The whole of it is carried out, as the page has it. */
  does: string;
  /** The variables that its reader has set, as the page says; none, unless given. */
  settings?: Settings | ((machine: Machine) => Promise<Record<string, string>>);
  /** What the instruction names and only the reader knows, such as an id: each text with what stands for it here. */
  fill?: (machine: Machine) => Record<string, string> | Promise<Record<string, string>>;
  /** What the sentences before it ask for. */
  before?: (machine: Machine) => Promise<void>;
  /** What its reader sees then. @param said all that was printed. */
  after?: (machine: Machine, said: string) => void | Promise<void>;
}

export interface Walk {
  page: string;
  steps: readonly Step[];
}

/** Whether a text names an instruction: its first line, or where the text ends with `…`, the beginning of that. */
const names = (text: string) => (instruction: Instruction) => {
  const [line = ''] = instruction.text.split('\n');
  return text.endsWith('…') ? line.startsWith(text.slice(0, -1)) : line === text;
};

/** The instruction that a step carries out. @throws Error where the page has none. */
function instructionOf({ page }: Walk, { does }: Step): Instruction {
  const found = instructionsOf(page).find(names(does));
  if (!found) throw new Error(`${page} has no instruction like: ${does}`);
  return found;
}

/**
 * What is wrong with the walks of a page, each as a sentence: an instruction that nobody carries out, a row or a step that
 * is about none, and blocks that are carried out in another order than the page's.
 * @param walks all of them, in their order.
 */
export function accountsOf(page: string, walks: readonly Walk[]): string[] {
  const steps = walks.filter((walk) => walk.page === page).flatMap((walk) => walk.steps);
  const instructions = instructionsOf(page);
  const rows = (ELSEWHERE[page] ?? []).map(([text]) => text);
  const texts = [...steps.map(({ does }) => does), ...rows];
  const nobody = instructions.filter((one) => !texts.some((text) => names(text)(one)));
  const stale = texts.filter((text) => !instructions.some(names(text)));
  const lines = steps
    .map(({ does }) => instructions.find(names(does)))
    .flatMap((one) => (one?.kind === 'block' ? one.line : []));
  return [
    ...nobody.map(
      (one) =>
        `${nameOf(one)}\n  is carried out by no test: add a step to its walk, or a row to test/pages/elsewhere.ts`,
    ),
    ...stale.map((text) => `${page} has no instruction like: ${text}`),
    ...(lines.every((line, place) => place === 0 || line > (lines[place - 1] ?? 0))
      ? []
      : [`The steps of ${page} are in another order than its blocks`]),
  ];
}

/** Such an instruction is typed into psql. */
const SQL = /^(SELECT|CREATE|ALTER|UPDATE|INSERT|DELETE|DROP) /;
/** A database cannot be made from within itself. */
const databaseOf = (sql: string): string => (/^CREATE DATABASE/m.test(sql) ? 'postgres' : 'wallet');

/** Carries out a step. */
export async function carryOut(machine: Machine, walk: Walk, step: Step): Promise<void> {
  await step.before?.(machine);
  const { text } = instructionOf(walk, step);
  const fill = { ...(await step.fill?.(machine)) };
  const filled = Object.entries(fill).reduce((all, [word, value]) => all.replaceAll(word, value), text);
  const settings = typeof step.settings === 'function' ? await step.settings(machine) : step.settings;
  const said = SQL.test(filled)
    ? await machine.sql(filled, databaseOf(filled))
    : await machine.type(filled, settings);
  await step.after?.(machine, said);
}
