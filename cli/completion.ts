/**
 * `wallet completion <shell>`: what a shell needs to complete commands, options and values. The package for it is young,
 * so only this file knows it.
 */
import { type Command } from 'commander';
import type { WalletClient } from '../sdk/src';
import { dashed } from './fields';
import type { Operation } from './operations';
import { projectFile } from './project';

interface Value {
  value: string;
  description: string;
}

/** As many wallets are offered, the newest. */
const WALLETS_OFFERED = 20;
/** Whoever presses the key is waiting. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Adds the command, and the hidden one that a shell calls at each press of the key.
 * @param open gives the client; it may throw, and then no ids are offered.
 */
export async function addCompletion(
  program: Command,
  operations: readonly Operation[],
  open: () => WalletClient,
): Promise<void> {
  const [{ default: tab }, { script }] = await Promise.all([
    import('@bomb.sh/tab/commander'),
    import('@bomb.sh/tab'),
  ]);
  const known = tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print what a shell needs to complete commands: source <(npx wallet completion bash)')
    // npx would take seconds at each press of the key.
    .action((shell: string) =>
      script(shell, 'wallet', `'${process.execPath}' '${projectFile('cli', 'wallet.mjs')}'`),
    );
  const words = process.argv.slice(2);
  const wallets = words[0] === 'complete' && asksForWallet(words) ? await newestWallets(open) : [];
  const offer = (values: readonly Value[]) => (complete: (value: string, description: string) => void) => {
    for (const { value, description } of values) complete(value, description);
  };
  for (const { name, path, query, fields } of operations) {
    const command = known.commands.get(name.split('.').map(dashed).join(' '));
    const asked = [...query.map((one) => ({ ...one.schema, name: one.name })), ...fieldsOf(fields)];
    for (const { name: field, enum: values } of asked) {
      const option = command?.options.get(dashed(field));
      if (!option) continue;
      if (isWallet(dashed(field))) option.handler = offer(wallets);
      else if (values)
        option.handler = offer(values.map((value) => ({ value: String(value), description: '' })));
    }
    if (/^\/v1\/(sandbox\/)?wallets\/\{/.test(path)) {
      for (const argument of command?.arguments.values() ?? []) argument.handler = offer(wallets);
    }
  }
}

const fieldsOf = (fields: Operation['fields']): { name: string; enum?: unknown[] }[] =>
  Object.entries(fields ?? {}).map(([name, schema]) => ({ ...schema, name }));

const isWallet = (option: string): boolean => /(^|-)wallet(-id)?$/.test(option);

/** Whether a wallet's id may be what is typed next. */
const asksForWallet = (words: readonly string[]): boolean =>
  words.some((word) => /^(wallets|fund|--[a-z-]*wallet(-id)?)(=|$)/.test(word));

/** None where nobody is logged in, or the platform does not answer at once: a shell shows no errors. */
async function newestWallets(open: () => WalletClient): Promise<Value[]> {
  try {
    const asked = { timeoutMs: ANSWER_WITHIN_MS, maxRetries: 0 };
    const { items } = await open().wallets.list({ limit: WALLETS_OFFERED }, asked).page();
    return items.map(({ id, user_ref: description }) => ({ value: id, description }));
  } catch {
    return [];
  }
}
