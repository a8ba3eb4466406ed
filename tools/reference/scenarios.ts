/** The scenarios as requests, for the collections that are made from them: what each step sends, keeps and waits for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../../cli/scenarios';
import { projectFolder } from '../../src/administration/project';
import { referenceText } from '../../src/api/openapi/reference';

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string;
        'x-sdk': string;
        'x-retry': string;
        responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
      }
    >
  >;
}

/** A step with all that its request needs. Texts still have `${...}` in them, which `fill` replaces. */
export interface RequestStep extends Pick<Step, 'id' | 'body' | 'expect' | 'wait'> {
  summary: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Whether an Idempotency-Key counts. */
  isKeyed: boolean;
  /** Where the fields of the answer are: in its `data`, or at the top. */
  inData: boolean;
}

export interface Scenario {
  name: string;
  /** The file in the project that it comes from. */
  file: string;
  steps: RequestStep[];
}

const FOLDERS = ['scenarios/runs', 'scenarios'];

/** All scenarios, in the order of their files. */
export function readScenarios(): Scenario[] {
  const { paths } = JSON.parse(referenceText()) as Document;
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), ...operation })),
  );
  const requestOf = ({ id, call, path = [], headers = {}, body, expect, wait }: Step): RequestStep => {
    const operation = operations.find((one) => one['x-sdk'] === call);
    if (!operation) throw new Error(`there is no operation ${call}`);
    const parts = [...path];
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
    return {
      id,
      summary: operation.summary,
      method: operation.method,
      path: operation.path.replaceAll(/\{\w+\}/g, () => parts.shift() ?? ''),
      headers,
      isKeyed: operation['x-retry'] === 'key',
      inData: 'data' in (success?.content?.['application/json']?.schema.properties ?? {}),
      ...(body && { body }),
      ...(expect && { expect }),
      ...(wait && { wait }),
    };
  };
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(projectFolder(), folder))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => {
        const file = `${folder}/${name}`;
        const { steps } = JSON.parse(readFileSync(join(projectFolder(), file), 'utf8')) as { steps: Step[] };
        return { name: name.replace(/\.json$/, ''), file, steps: steps.map(requestOf) };
      }),
  );
}

/** Replaces what comes from the run or from an earlier step: `${run}` has no field, `${ada.id}` has one. */
export const fill = (text: string, written: (id: string, field: string | null) => string): string =>
  text.replaceAll(/\$\{(\w+)(?:\.(\w+))?\}/g, (_all, id: string, field?: string) =>
    written(id, field ?? null),
  );
