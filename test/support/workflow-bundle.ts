/** The bundle of all workflows: that of the build, or one that the first file of the run makes that needs it. */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundleWorkflows, type WorkflowBundle } from '../../src/worker/bundle';

export async function workflowBundleOfRun(): Promise<WorkflowBundle> {
  const { TEST_WORKFLOW_BUNDLE: built, TEST_RUN_FOLDER: folder } = process.env;
  if (built !== undefined) return { codePath: built };
  if (folder === undefined) throw new Error('there is no run yet: see test/setup/run.ts');
  const codePath = join(folder, 'workflow-bundle.js');
  if (!existsSync(codePath)) {
    // Another process may build it at the same time: the file is there whole, or not at all.
    const unfinished = `${codePath}.${randomUUID()}`;
    writeFileSync(unfinished, await bundleWorkflows());
    renameSync(unfinished, codePath);
  }
  return { codePath };
}
