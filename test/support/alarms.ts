/** The alarms of deploy/prometheus/rules.yml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Alarm {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
}

interface RulesFile {
  groups: { rules: Alarm[] }[];
}

const FILE = join(__dirname, '..', '..', 'deploy', 'prometheus', 'rules.yml');

export const ALARMS: readonly Alarm[] = (parse(readFileSync(FILE, 'utf8')) as RulesFile).groups.flatMap(
  ({ rules }) => rules,
);

export function alarm(name: string): Alarm {
  const found = ALARMS.find(({ alert }) => alert === name);
  if (!found) throw new Error(`there is no alarm ${name}`);
  return found;
}

/** The metrics of Temporal's SDK that the board shows, as a worker serves them. */
export const SDK_METRICS: readonly string[] = [
  'temporal_worker_task_slots_available',
  'temporal_sticky_cache_size',
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_activity_schedule_to_start_latency_seconds',
];
