/**
 * A round trip with several prepared statements. They are sent together, and Postgres runs them in order and
 * answers once. The pipeline of pg ends every statement with a Sync, and each Sync is a separate answer that must
 * be sent, waited for and read. Rounds are used only where a row of the bench needs them (R39);
 * decision 0039 has the measurements.
 */
import type pg from 'pg';
import { present } from '../../domain/assert';
import type { Parameter } from './bulk';
import { messagesOf, type Run } from './messages';
import { parserOf, sqlState } from './postgres';

export interface Statement {
  /** The SQL, which is parsed once on each connection. */
  text: string;
}

export interface Step {
  statement: Statement;
  values: readonly Parameter[];
}

export type Row = Record<string, unknown>;

/** What a connection remembers about a statement that it has parsed. */
interface Prepared {
  name: string;
  columns: { name: string; parse: (text: string) => unknown }[];
}

/** Failures that come from the values and the rows and not from the statement: a wrong value, a constraint, a lock. */
const ABOUT_ROWS = /^(22|23|40|55P03)/;

const known = new WeakMap<pg.Connection, Map<Statement, Prepared>>();
let named = 0;

/**
 * Runs the steps in order. The first that fails ends the round: those behind it are not run.
 * @returns the rows of each step.
 * @throws what Postgres answered, or why there was no answer.
 */
export function runRound(client: pg.ClientBase, steps: readonly Step[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const round = new Round(steps, (error) => (error ? reject(error) : resolve(round.results)));
    client.query(round);
  });
}

/**
 * The same, and sent at once although the round before it on this connection is not answered yet: Postgres begins with it as
 * soon as it has ended that one. The caller sees to it that all rounds before it have been sent.
 */
export function runRoundAhead(client: pg.Client, steps: readonly Step[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const round = new Round(steps, (error) => (error ? reject(error) : resolve(round.results)));
    client.query(round);
    // The client keeps it until the round before it is answered.
    round.submit(connectionOf(client));
  });
}

/** The types of pg do not name the connection of a client. */
const connectionOf = (client: pg.Client): pg.Connection =>
  (client as unknown as { connection: pg.Connection }).connection;

/** A query object as pg expects it: the client hands it each message that comes back. */
class Round implements pg.Submittable {
  readonly results: Row[][] = [];
  private readonly prepared: Prepared[] = [];
  /** Statements that this round has parsed first. */
  private readonly fresh: Statement[] = [];
  private place = 0;
  private broken: Error | null = null;
  private connection: pg.Connection | null = null;

  /** The client wraps `callback` in its time limit. */
  constructor(
    private readonly steps: readonly Step[],
    private readonly callback: (error: Error | null) => void,
  ) {}

  /** A second call does nothing, because the round has been sent. */
  submit(connection: pg.Connection): void {
    if (this.connection) return;
    this.connection = connection;
    const statements = known.get(connection) ?? new Map<Statement, Prepared>();
    known.set(connection, statements);
    const runs = this.steps.map(({ statement, values }): Run => {
      let prepared = statements.get(statement);
      const isFresh = !prepared;
      if (!prepared) {
        prepared = { name: `ledger_${++named}`, columns: [] };
        statements.set(statement, prepared);
        this.fresh.push(statement);
      }
      this.prepared.push(prepared);
      this.results.push([]);
      return { name: prepared.name, sql: isFresh ? statement.text : null, values };
    });
    // When a connection breaks, its client ends every query by an event. Writing to it would raise another error.
    if (connection.stream.writable) connection.stream.write(messagesOf(runs));
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.current().columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      const row: Row = {};
      const { columns } = this.current();
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at] as Prepared['columns'][number];
        const text = fields[at] as string | null;
        row[column.name] = text === null ? null : column.parse(text);
      }
      (this.results[this.place] as Row[]).push(row);
    } catch (error) {
      this.broken = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.place++;
  }

  handleReadyForQuery(): void {
    this.callback(this.broken);
  }

  handleError(error: Error): void {
    if (this.connection) this.forget(this.connection, error);
    this.callback(error);
  }

  /** A statement that the connection may not have parsed gets a new name in the next round. */
  private forget(connection: pg.Connection, error: Error): void {
    if (ABOUT_ROWS.test(sqlState(error) ?? '')) {
      const statements = known.get(connection);
      for (const statement of this.fresh) statements?.delete(statement);
    } else {
      known.delete(connection);
    }
  }

  private current(): Prepared {
    return present(this.prepared[this.place], 'the statement that is answered');
  }
}
