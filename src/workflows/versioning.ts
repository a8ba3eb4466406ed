/**
 * Which workflows move to the current build of the workers with their next task. All others stay with the build that
 * began them, which is what a worker says of them by default (docs/decisions/0030).
 */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';

/**
 * For a workflow that has no end, or that a Schedule runs: a run that stays behind would keep its build at work for
 * ever, or the Schedule from running again. A worker without versions refuses the option, so it is left out there.
 */
export function movesToTheCurrentBuild(workflow: (input: never) => Promise<unknown>): void {
  setWorkflowOptions(
    // A worker without versions has a build as well, of no deployment.
    () =>
      workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'AUTO_UPGRADE' } : {},
    workflow,
  );
}
