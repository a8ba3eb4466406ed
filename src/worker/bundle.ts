/** Builds the workflow bundle once, so that workers start without building it (`npm run build`). */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Beside the compiled workflows. */
const BUNDLE_FILE = join(__dirname, '..', 'workflow-bundle.js');

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

if (require.main === module) {
  void bundleWorkflows().then((code) => {
    mkdirSync(dirname(BUNDLE_FILE), { recursive: true });
    writeFileSync(BUNDLE_FILE, code);
  });
}
