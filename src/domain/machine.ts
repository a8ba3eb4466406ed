/**
 * State machines are rows `[from, trigger, to]`. The same rows drive the workflow's next step, the
 * guarded UPDATE in Postgres, the allowed values on the wire and the tests over every pair.
 */
export type Row<State extends string, Trigger extends string> = readonly [State, Trigger, State];

/** The state after `trigger`, or null where the table has no such row: the move is refused. */
export function next<State extends string, Trigger extends string>(
  rows: readonly Row<State, Trigger>[],
  from: State,
  trigger: Trigger,
): State | null {
  return rows.find((row) => row[0] === from && row[1] === trigger)?.[2] ?? null;
}

/** Every state from which `trigger` may happen: the guard of its UPDATE. */
export function sources<State extends string, Trigger extends string>(
  rows: readonly Row<State, Trigger>[],
  trigger: Trigger,
): State[] {
  return rows.filter((row) => row[1] === trigger).map((row) => row[0]);
}
