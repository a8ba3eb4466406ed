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
  return code;
}

const none = (): void => undefined;
