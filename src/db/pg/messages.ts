/**
 * The messages that ask Postgres to run prepared statements, written into one buffer that is sent as one piece. pg
 * writes each message into a buffer of its own, value by value: for one transfer, of 84 values, that took Node
 * several times as long (decision 0039). The messages are those of Postgres' protocol, version 3: Parse and
 * Describe, Bind, Execute, Sync.
 */
import type { Parameter } from './bulk';

const PARSE = 0x50;
const DESCRIBE = 0x44;
const A_STATEMENT = 0x53;
const BIND = 0x42;
/** Asks for all rows of the unnamed portal. */
const EXECUTE = [0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0];
const SYNC = [0x53, 0, 0, 0, 4];
const TEXT = 0;
const BINARY = 1;
const NULL_LENGTH = -1;
/** The largest number of bytes of one character of a string. */
const BYTES_OF_CHARACTER_MAX = 3;
/** Shorter strings are copied faster here than by a call of a native function. */
const SHORT_MAX = 48;
const BYTES_MIN = 16 * 1024;
/** A buffer that grew beyond this for one large batch is not kept. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** One prepared statement to be run with its values. */
export interface Run {
  name: string;
  /** The SQL, if this connection has not parsed it yet. Then the statement is described, too. */
  sql: string | null;
  values: readonly Parameter[];
}

/** The buffer is used again for each round, because nothing is awaited while it is written. */
let bytes = Buffer.allocUnsafe(BYTES_MIN);
let end = 0;

/**
 * @returns the messages that run these statements in their order. Their rows come back as text, with one answer at
 *   the end.
 */
export function messagesOf(runs: readonly Run[]): Buffer {
  end = 0;
  for (const run of runs) {
    if (run.sql !== null) putParse(run.name, run.sql);
    putBind(run);
    put(EXECUTE);
  }
  put(SYNC);
  const messages = Buffer.from(bytes.subarray(0, end));
  if (bytes.length > KEPT_BYTES_MAX) bytes = Buffer.allocUnsafe(BYTES_MIN);
  return messages;
}

function putParse(name: string, sql: string): void {
  const parse = putHead(PARSE);
  putText(name);
  put([0]);
  putText(sql);
  put([0]);
  putInt16(0);
  putLength(parse);
  const describe = putHead(DESCRIBE);
  put([A_STATEMENT]);
  putText(name);
  put([0]);
  putLength(describe);
}

function putBind({ name, values }: Run): void {
  const bind = putHead(BIND);
  put([0]);
  putText(name);
  put([0]);
  putInt16(values.length);
  for (const value of values) putInt16(value instanceof Buffer ? BINARY : TEXT);
  putInt16(values.length);
  for (const value of values) putValue(value);
  putInt16(1);
  putInt16(TEXT);
  putLength(bind);
}

function putValue(value: Parameter): void {
  const lengthAt = keepLength();
  if (value === null) {
    writeInt32(NULL_LENGTH, lengthAt);
    return;
  }
  if (typeof value === 'string') {
    putText(value);
  } else {
    room(value.length);
    end += value.copy(bytes, end);
  }
  writeInt32(end - lengthAt - 4, lengthAt);
}

function putText(text: string): void {
  room(text.length * BYTES_OF_CHARACTER_MAX);
  if (text.length > SHORT_MAX) {
    end += bytes.write(text, end);
    return;
  }
  for (let place = 0; place < text.length; place++) {
    const character = text.charCodeAt(place);
    if (character > 0x7f) {
      end += bytes.write(text.slice(place), end);
      return;
    }
    bytes[end++] = character;
  }
}

function put(some: readonly number[]): void {
  room(some.length);
  for (const byte of some) bytes[end++] = byte;
}

function putInt16(number: number): void {
  room(2);
  bytes[end++] = number >> 8;
  bytes[end++] = number;
}

/** @returns where the length of this message is, for `putLength`. */
function putHead(kind: number): number {
  put([kind]);
  return keepLength();
}

function keepLength(): number {
  room(4);
  end += 4;
  return end - 4;
}

/** A message's length counts itself. */
const putLength = (at: number): void => writeInt32(end - at, at);

function writeInt32(number: number, at: number): void {
  bytes[at] = number >> 24;
  bytes[at + 1] = number >> 16;
  bytes[at + 2] = number >> 8;
  bytes[at + 3] = number;
}

/** Makes room for `more` further bytes. */
function room(more: number): void {
  if (end + more <= bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + more));
  bytes.copy(larger, 0, 0, end);
  bytes = larger;
}
