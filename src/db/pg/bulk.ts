/**
 * Many rows in one statement: each column travels as one array and comes back as rows by `unnest`, so a
 * batch of any size is the same prepared statement with the same number of parameters. Few rows may be written out
 * instead, each value a parameter, which is less work for Postgres.
 */
import { assert } from '../../domain/assert';

type Value = string | number | boolean | Date | null | undefined;

export type Column<Row> = readonly [name: string, type: ColumnType, value: (row: Row) => Value];

export type ColumnType =
  | 'uuid'
  | 'text'
  | 'json'
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'boolean'
  | 'timestamptz';

/** A parameter as Postgres reads it: text, or the bytes of its binary form. */
export type Parameter = string | Buffer | null;

/**
 * Gives out parameter numbers while the text of a statement is built, and collects the values in the same order.
 */
export class Parameters<Input> {
  private readonly readers: ((input: Input) => Parameter)[] = [];

  /**
   * @param model an input for which the statement is written out. The statement serves inputs with as many rows of
   * each kind.
   */
  constructor(private readonly model: Input | null = null) {}

  add(type: string, read: (input: Input) => Parameter): string {
    this.readers.push(read);
    return `$${this.readers.length}::${type}`;
  }

  /** One value of a column. */
  one(type: ColumnType, value: (input: Input) => Value): string {
    return this.add(type, (input) => writeOne(value(input)));
  }

  /** A column of many rows. */
  array(type: ColumnType, values: (input: Input) => readonly Value[]): string {
    return this.add(`${type}[]`, (input) => writeArray(type, values(input)));
  }

  /**
   * `unnest($1::uuid[], ...) AS alias(id, ...)` for the rows that `pick` finds in the input, or `(VALUES ...)`.
   */
  rows<Row>(alias: string, columns: readonly Column<Row>[], pick: (input: Input) => readonly Row[]): string {
    if (this.model) {
      const lines = pick(this.model).map((_, place) => {
        const values = columns.map(([, type, value]) =>
          this.one(type, (input) => value(pick(input)[place] as Row)),
        );
        return `(${values.join(', ')})`;
      });
      return `(VALUES ${lines.join(', ')}) AS ${alias}(${namesOf(columns)})`;
    }
    const arrays = columns.map(([, type, value]) => this.array(type, (input) => pick(input).map(value)));
    return `unnest(${arrays.join(', ')}) AS ${alias}(${namesOf(columns)})`;
  }

  values(input: Input): Parameter[] {
    return this.readers.map((read) => read(input));
  }
}

export const namesOf = (columns: readonly Column<never>[]): string =>
  columns.map(([name]) => name).join(', ');

/** How the values of a type are written as bytes. */
interface Binary {
  oid: number;
  lengthOf: (value: Value) => number;
  /** @returns how many bytes it wrote. */
  write: (bytes: Buffer, value: Value, at: number) => number;
}

const texts = (oid: number): Binary => ({
  oid,
  lengthOf: (text) => Buffer.byteLength(text as string),
  write: (bytes, text, at) => bytes.write(text as string, at),
});

const TWO_TO_32 = 2 ** 32;
const UUID_BYTES = 16;

/** Types that are sent as bytes, so that nothing is quoted here, and Postgres need not read quotes and digits. */
const BINARY: Partial<Record<ColumnType, Binary>> = {
  text: texts(25),
  json: texts(114),
  bigint: {
    oid: 20,
    lengthOf: () => 8,
    write(bytes, value, at) {
      const high = Math.floor((value as number) / TWO_TO_32);
      bytes.writeInt32BE(high, at);
      bytes.writeUInt32BE((value as number) - high * TWO_TO_32, at + 4);
      return 8;
    },
  },
  integer: {
    oid: 23,
    lengthOf: () => 4,
    write(bytes, value, at) {
      bytes.writeInt32BE(value as number, at);
      return 4;
    },
  },
  uuid: { oid: 2950, lengthOf: () => UUID_BYTES, write: writeUuid },
};

/** The value of a character as a hexadecimal digit; -1 for every other character. */
const DIGITS = new Int8Array(2 ** 16).fill(-1);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** Each digit is read once, which takes Node as long as to copy the text. */
function writeUuid(bytes: Buffer, value: Value, at: number): number {
  const text = value as string;
  let seen = text.length === 36 ? 0 : -1;
  let from = 0;
  for (let place = 0; place < UUID_BYTES; place++) {
    if ((place === 4 || place === 6 || place === 8 || place === 10) && text[from++] !== '-') seen = -1;
    const high = DIGITS[text.charCodeAt(from++)] as number;
    const low = DIGITS[text.charCodeAt(from++)] as number;
    const byte = (high << 4) | low;
    seen |= byte;
    bytes[at + place] = byte;
  }
  assert(seen >= 0, 'the id of a row is a uuid');
  return UUID_BYTES;
}

/** An array of one type, in the form that is cheapest for Node and Postgres. */
export function writeArray(type: ColumnType, values: readonly Value[]): Parameter {
  const binary = BINARY[type];
  return binary ? writeBytes(binary, values) : `{${values.map(writeElement).join(',')}}`;
}

function writeOne(value: Value): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** An array of values that need no quotes: numbers, booleans and times. */
function writeElement(value: Value): string {
  const text = writeOne(value);
  if (text === null) return 'NULL';
  return value instanceof Date ? `"${text}"` : text;
}

/** The binary form of a Postgres array with one dimension: a head, then each element with its length. */
function writeBytes({ oid, lengthOf, write }: Binary, values: readonly Value[]): Buffer {
  const dimensions = values.length === 0 ? 0 : 1;
  let size = 12 + 8 * dimensions;
  let hasNull = 0;
  for (const value of values) {
    size += 4;
    if (value == null) hasNull = 1;
    else size += lengthOf(value);
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const head of dimensions ? [1, hasNull, oid, values.length, 1] : [0, 0, oid]) {
    at = bytes.writeInt32BE(head, at);
  }
  for (const value of values) {
    const length = value == null ? -1 : write(bytes, value, at + 4);
    bytes.writeInt32BE(length, at);
    at += 4 + Math.max(0, length);
  }
  return bytes;
}
