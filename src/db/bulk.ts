/**
 * Many rows in one statement: each column travels as one array and comes back as rows by `unnest`, so a
 * batch of any size is the same prepared statement with the same number of parameters.
 */
export type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

/** Hands out parameter numbers while a statement's text is put together, and collects its values in that order. */
export class Parameters<Input> {
  private readonly readers: ((input: Input) => unknown)[] = [];

  add(type: string, read: (input: Input) => unknown): string {
    this.readers.push(read);
    return `$${this.readers.length}::${type}`;
  }

  /** `unnest($1::uuid[], ...) AS alias(id, ...)` for the rows that `pick` finds in the input. */
  rows<Row>(alias: string, columns: readonly Column<Row>[], pick: (input: Input) => readonly Row[]): string {
    const arrays = columns.map(([, type, value]) => this.add(`${type}[]`, (input) => pick(input).map(value)));
    return `unnest(${arrays.join(', ')}) AS ${alias}(${namesOf(columns)})`;
  }

  values(input: Input): unknown[] {
    return this.readers.map((read) => read(input));
  }
}

export const namesOf = (columns: readonly Column<never>[]): string =>
  columns.map(([name]) => name).join(', ');
