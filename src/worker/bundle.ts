/** The bundle of all workflows, as workers run it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Beside the compiled workflows. `npm run build` writes it. */
export const BUNDLE_FILE = join(__dirname, '..', 'workflow-bundle.js');

/** The bundle in the form that a Temporal Worker takes. */
export type WorkflowBundle = { codePath: string } | { code: string };

/** The bundle that `npm run build` made. Without a build it is made now. */
export async function workflowBundle(): Promise<WorkflowBundle> {
  return existsSync(BUNDLE_FILE) ? { codePath: BUNDLE_FILE } : { code: await bundleWorkflows() };
}

/** @returns the code of all workflows, as a worker runs it. */
export async function bundleWorkflows(): Promise<string> {
  const quiet = { trace: none, debug: none, info: none, log: none, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    logger: quiet,
  });
  return inFewerBytes(code);
}

const MAP = '//# sourceMappingURL=data:application/json;base64,';

/**
 * The same code in fewer bytes, because each thread that runs workflows has its own copy. One letter beyond Latin-1 makes V8
 * keep two bytes for every letter of a text. The sources in the map serve a debugger; stacks are told by file and line without them.
 */
function inFewerBytes(code: string): string {
  const at = code.lastIndexOf('//# sourceMappingURL=data:');
  const encoded = code.slice(code.indexOf('base64,', at) + 'base64,'.length);
  const { sourcesContent: _sources, ...map } = JSON.parse(
    Buffer.from(encoded, 'base64').toString(),
  ) as Record<string, unknown>;
  const plain = code
    .slice(0, at)
    .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${plain}${MAP}${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
}

const none = (): void => undefined;
