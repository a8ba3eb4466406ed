/**
 * Somebody who reaches Temporal and nothing else: sends messages to workflows, starts workflows, and calls our
 * activities from a workflow of their own on a task queue of their own.
 */
import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time';
import { Client, WorkflowUpdateFailedError, type ConnectionLike } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { Json } from './calls';

/** What an attack got: an answer, or the type and the message of the failure. */
type Loot = { result: Json } | { failure: string; message: string };

export interface Intruder {
  /** Sends an update to a workflow. */
  send(workflowId: string, update: string, ...args: unknown[]): Promise<Loot>;
  /** Starts a workflow with an id and an input of the intruder's choice. */
  start(workflowType: string, input: unknown): Promise<string>;
  /** Calls an activity of the platform's worker, once, with these arguments. */
  callStep(name: string, ...args: unknown[]): Promise<Loot>;
}

/** Of the platform's worker. */
const PLATFORM_TASK_QUEUE = 'wallet-core';
const POLL_MS = 30_000;

export function openIntruder(connection: ConnectionLike, namespace: string): Intruder {
  const client = new Client({ connection, namespace });
  const { workflowService } = connection;

  /** Polls the intruder's own queue. */
  const poll = (queue: string) =>
    connection.withDeadline(Date.now() + POLL_MS, () =>
      workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queue }, identity: 'intruder' }),
    );

  return {
    async send(workflowId, update, ...args) {
      try {
        return {
          result: await client.workflow.getHandle(workflowId).executeUpdate(update, { args } as never),
        };
      } catch (error) {
        if (!(error instanceof WorkflowUpdateFailedError)) throw error;
        return lootOf(error.cause);
      }
    },

    async start(workflowType, input) {
      const workflowId = `intruder/${randomUUID()}`;
      const taskQueue = PLATFORM_TASK_QUEUE;
      await client.workflow.start(workflowType, { workflowId, taskQueue, args: [input] });
      return workflowId;
    },

    async callStep(name, ...args) {
      const queue = `intruder-${randomUUID()}`;
      await client.workflow.start('intrusion', { workflowId: queue, taskQueue: queue });
      const first = await poll(queue);
      await workflowService.respondWorkflowTaskCompleted({
        namespace,
        taskToken: first.taskToken,
        commands: [
          {
            commandType: temporal.api.enums.v1.CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
            scheduleActivityTaskCommandAttributes: {
              activityId: '1',
              activityType: { name },
              taskQueue: { name: PLATFORM_TASK_QUEUE },
              input: { payloads: args.map((arg) => defaultPayloadConverter.toPayload(arg)) },
              scheduleToCloseTimeout: msToTs('20s'),
              retryPolicy: { maximumAttempts: 1 },
            },
          },
        ],
      });
      const { history } = await poll(queue);
      await client.workflow.getHandle(queue).terminate();
      const events = history?.events ?? [];
      const completed = events.find((event) => event.activityTaskCompletedEventAttributes);
      const payload = completed?.activityTaskCompletedEventAttributes?.result?.payloads?.[0];
      if (completed) return { result: payload ? defaultPayloadConverter.fromPayload(payload) : undefined };
      const failed = events.find((event) => event.activityTaskFailedEventAttributes);
      const failure = failed?.activityTaskFailedEventAttributes?.failure;
      const type = failure?.applicationFailureInfo?.type ?? 'TimedOut';
      return { failure: type, message: failure?.message ?? '' };
    },
  };
}

function lootOf(cause: unknown): Loot {
  const { type, message, cause: inner } = cause as { type?: string; message: string; cause?: unknown };
  return type === undefined && inner ? lootOf(inner) : { failure: type ?? 'none', message };
}
