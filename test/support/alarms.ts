/** The alarms of deploy/prometheus/rules.yml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { evaluate, type Sample } from './prometheus';

export interface Alarm {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

interface RulesFile {
  groups: { rules: Alarm[] }[];
}

const FILE = join(__dirname, '..', '..', 'deploy', 'prometheus', 'rules.yml');

export const ALARMS: readonly Alarm[] = (parse(readFileSync(FILE, 'utf8')) as RulesFile).groups.flatMap(
  ({ rules }) => rules,
);

function alarm(name: string): Alarm {
  const found = ALARMS.find(({ alert }) => alert === name);
  if (!found) throw new Error(`there is no alarm ${name}`);
  return found;
}

/** Whether Prometheus would raise the alarm, once it had lasted for its time. @param before the scrape of a while ago. */
const isRaised = (name: string, now: Sample[], before: Sample[]): boolean =>
  evaluate(alarm(name).expr, { before, now }).length > 0;

/**
 * The alarms among these that are not raised: a test that has broken something expects none. A test in
 * test/unit/alarms.test.ts looks for each alarm in the calls of this function, so its names are written out there.
 */
export const notRaised = (names: readonly string[], now: Sample[], before: Sample[] = []): string[] =>
  names.filter((name) => !isRaised(name, now, before));

/** The alarms among these that are raised: a test on which nothing is wrong expects none. */
export const raisedAmong = (names: readonly string[], now: Sample[], before: Sample[] = []): string[] =>
  names.filter((name) => isRaised(name, now, before));

/** The metrics of Temporal's SDK that the board shows, as a worker serves them. */
export const SDK_METRICS: readonly string[] = [
  'temporal_worker_task_slots_available',
  'temporal_sticky_cache_size',
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_activity_schedule_to_start_latency_seconds',
];
