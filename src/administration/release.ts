/**
 * `npm run release -- show` says which builds of the workers there are in each namespace. `npm run release -- current
 * [<build>]` gives what is new to the workers of a build from now on: that of this checkout or image, or, to go back,
 * an earlier one (docs/how-to/upgrade.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { Command } from 'commander';
import { ConfigError, loadDotEnv, readTemporalConfig } from '../runtime/config';
import { NoAnswerError, temporalConnection } from '../runtime/temporal-connection';
import { temporalTransport } from '../runtime/temporal-transport';
import { thisVersion } from '../runtime/version';
import { buildsAtWork, knownBuilds, makeCurrent, type Queue } from '../runtime/worker-deployment';
import { StartError } from './project';

/** The workers of a build that has just been started need some time until they ask for tasks. */
const AT_WORK_WITHIN_MS = 20_000;
/** How often a call is tried that Temporal does not answer in time. To make a build current twice is harmless. */
const TRIES = 5;
const LOOK_EVERY_MS = 1_000;
/** Of gRPC. */
const FAILED_PRECONDITION = 9;

interface Place {
  connection: Connection;
  queue: Queue;
}

/** Works in the namespaces of both environments. */
async function inNamespaces(work: (places: Place[]) => Promise<void>): Promise<void> {
  let places: Place[] = [];
  try {
    loadDotEnv();
    const config = readTemporalConfig();
    places = [config.TEMPORAL_NAMESPACE_SANDBOX, config.TEMPORAL_NAMESPACE_LIVE].map((namespace) => ({
      connection: temporalConnection(temporalTransport(config), namespace),
      queue: { namespace, taskQueue: config.TEMPORAL_TASK_QUEUE },
    }));
    await work(places);
  } catch (error) {
    const isTold = error instanceof StartError || error instanceof ConfigError;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(isTold ? `${reason}\n` : `Temporal did not do it: ${reason}\n`);
    process.exitCode = 1;
  } finally {
    for (const { connection } of places) await connection.close();
  }
}

/** @throws StartError when no worker of the build comes. */
async function waitForWorkers({ connection, queue }: Place, build: string): Promise<void> {
  const giveUpAt = Date.now() + AT_WORK_WITHIN_MS;
  while (!(await buildsAtWork(connection, queue)).has(build)) {
    if (Date.now() > giveUpAt)
      throw new StartError(
        `No worker of the build ${build} is at work in ${queue.namespace}, so nothing was changed. Start its workers first`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Workers ask for the tasks of one queue after the other when they start. Temporal refuses a build that does not ask for all of
 * those that the current one asks for, so the command waits for that, too.
 * @throws StartError when the workers do not come to it.
 */
async function makeItCurrent({ connection, queue }: Place, build: string): Promise<void> {
  const giveUpAt = Date.now() + AT_WORK_WITHIN_MS;
  for (let tried = 1; ; tried++) {
    try {
      await makeCurrent(connection, queue, build);
      return;
    } catch (error) {
      if (isStillStarting(error)) {
        if (Date.now() > giveUpAt)
          throw new StartError(
            `The workers of the build ${build} do not work on every task queue of ${queue.namespace}, so it was not made ` +
              'current there. Look at their log, and run the command again',
          );
        await sleep(LOOK_EVERY_MS);
      } else if (!(error instanceof NoAnswerError) || tried >= TRIES) throw error;
    }
  }
}

function isStillStarting(error: unknown): boolean {
  const { code, details = '' } = error as { code?: number; details?: string };
  return code === FAILED_PRECONDITION && details.includes('missing active task queues');
}

async function show(places: readonly Place[]): Promise<void> {
  for (const { connection, queue } of places) {
    const atWork = await buildsAtWork(connection, queue);
    for (const { build, standing } of await knownBuilds(connection, queue)) {
      const workers = atWork.has(build) ? 'workers at work' : 'no worker';
      process.stdout.write(`${queue.namespace}  ${build}  ${standing}  ${workers}\n`);
    }
  }
}

const program = new Command('release').description('Says which build of the workers gets what is new.');

program
  .command('show')
  .description('list the builds of each namespace')
  .action(() => inNamespaces(show));

program
  .command('current [build]')
  .description('give what is new to the workers of this build; without a name, to those of this checkout')
  .action((build: string = thisVersion().build) =>
    inNamespaces(async (places) => {
      // Both environments have workers of it before either of them changes.
      for (const place of places) await waitForWorkers(place, build);
      for (const place of places) await makeItCurrent(place, build);
      await show(places);
    }),
  );

void program.parseAsync();
