/**
 * Reads a JSON body within hard limits: size, number of values, encoding, depth and keys that would poison an object are
 * refused before anything looks at the content (D117, D151, D152, G27).
 */
import type { IncomingMessage } from 'node:http';
import { done, map, refuse, type Outcome, type Refused } from '../domain/outcome';
import { invalid } from '../wire/read';
import { inexactNumbers } from './exact-numbers';
import { createStructureCounter, structureOf, type StructureCounter } from './structure';

export const BODY_MAX_BYTES = 262_144;
/** How much structure a body has at most, as `structure.ts` counts it: of most operations, and of the largest bodies. */
export const STRUCTURE_MAX = 20_000;
export const LARGE_STRUCTURE_MAX = 250_000;
/** Metadata may have 20 levels (D142) and sits one level down. */
const DEPTH_MAX = 24;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The message of the code names the limit of most operations. */
const tooLarge = (maxBytes: number): Refused =>
  refuse(
    'PAYLOAD_TOO_LARGE',
    maxBytes === BODY_MAX_BYTES ? {} : { message: `The body is larger than ${String(maxBytes)} bytes` },
  );

const tooManyValues = (max: number): Refused =>
  refuse('PAYLOAD_TOO_LARGE', {
    message: `The body has too many values: more than ${String(max)} of the characters { } [ ] , : outside of strings`,
  });

/**
 * Reads the body of an operation as JSON.
 * @param mayBeEmpty for operations whose every field is optional: no body at all then reads as `{}`, and needs
 *   no content type.
 * @returns the value, or refused: VALIDATION_ERROR, PAYLOAD_TOO_LARGE.
 * @throws when the caller goes before its body is read.
 */
export async function readJsonBody(request: IncomingMessage, mayBeEmpty = false): Promise<Outcome<unknown>> {
  const read = await readJson(request, mayBeEmpty);
  return (read.ok && read.value.inexact) || map(read, ({ value }) => value);
}

/** The same, with what is wrong with its numbers beside it: the value tells in which form that is refused. */
export async function readJson(
  request: IncomingMessage,
  mayBeEmpty = false,
): Promise<Outcome<{ value: unknown; inexact: Refused | null }>> {
  if (mayBeEmpty && hasNoBody(request)) return done({ value: {}, inexact: null });
  const wrong = headerProblem(request, BODY_MAX_BYTES, JSON_TYPE, 'must be application/json');
  if (wrong) return wrong;
  const bytes = await readBytes(request, { maxBytes: BODY_MAX_BYTES });
  if (!bytes.ok) return bytes;
  return map(parseJson(bytes.value), (value) => ({ value, inexact: inexactNumbers(bytes.value) }));
}

/** What the headers say that refuses a body before a byte of it is read, or null. */
export function headerProblem(
  { headers }: IncomingMessage,
  maxBytes: number,
  type: RegExp,
  typeProblem: string,
): Refused | null {
  if (announcedBytes(headers) > maxBytes) return tooLarge(maxBytes);
  if (!type.test(headers['content-type'] ?? '')) return invalid(`Content-Type ${typeProblem}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? null : invalid('a compressed body is not accepted');
}

/** The length that the headers announce; 0 for a body that comes in chunks, and without one. */
export const announcedBytes = (headers: IncomingMessage['headers']): number =>
  Number(headers['content-length'] ?? 0);

/** Whether the headers announce no body: a length of zero, or neither a length nor a transfer encoding. */
const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  announcedBytes(headers) === 0 && headers['transfer-encoding'] === undefined;

/** Reads the bytes as they came, for bodies that are signed or not JSON. */
export async function readRawBody(request: IncomingMessage): Promise<Outcome<Buffer>> {
  if (announcedBytes(request.headers) > BODY_MAX_BYTES) return tooLarge(BODY_MAX_BYTES);
  return readBytes(request, { maxBytes: BODY_MAX_BYTES });
}

/** How a body is read. */
export interface Reading {
  maxBytes: number;
  /** How much structure it may have; without it that is counted where the bytes are parsed. */
  structureMax?: number;
  /** Is asked before more than so many bytes are kept, and says how many may be: what it refuses is not kept. */
  onMore?: { fromBytes: number; ask: (bytes: number) => Promise<Outcome<{ untilBytes: number }>> };
}

/**
 * Reads the bytes of a body. What is refused under way is read to its end and neither kept nor counted, because a caller who still
 * sends would not see the answer; only what is larger than it may be is not read further.
 * It reads by events, because an async iterator costs several times as much and most bodies are one chunk.
 */
export function readBytes(
  request: IncomingMessage,
  { maxBytes, structureMax, onMore }: Reading,
): Promise<Outcome<Buffer>> {
  const counter = structureMax === undefined ? null : createStructureCounter();
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let keptMax = onMore?.fromBytes ?? Infinity;
    let refused: Refused | null = null;
    const drop = (why: Refused): void => {
      refused = why;
      chunks = [];
    };
    const askForMore = async (ask: NonNullable<Reading['onMore']>['ask']): Promise<void> => {
      request.pause();
      const asked = await ask(size);
      if (asked.ok) keptMax = asked.value.untilBytes;
      else drop(asked);
      request.resume();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners('data').pause();
        chunks = [];
        resolve(refused ?? tooLarge(maxBytes));
      } else if (refused === null) {
        chunks.push(chunk);
        if (isTooMuch(counter, chunk, structureMax)) drop(tooManyValues(structureMax ?? 0));
        else if (onMore && size > keptMax) askForMore(onMore.ask).catch(reject);
      }
    });
    request.on('end', () => {
      resolve(refused ?? done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    });
    request.on('error', reject);
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error('the request was closed before its body was read'));
      chunks = [];
    });
  });
}

const isTooMuch = (counter: StructureCounter | null, chunk: Buffer, max = Infinity): boolean =>
  counter !== null && counter.add(chunk) > max;

/**
 * Reads bytes as JSON, and refuses what could harm a later step.
 * @returns the value, or refused: PAYLOAD_TOO_LARGE for too much structure, VALIDATION_ERROR.
 */
export function parseJson(bytes: Buffer, structureMax = STRUCTURE_MAX): Outcome<unknown> {
  if (structureOf(bytes) > structureMax) return tooManyValues(structureMax);
  const text = textOf(bytes);
  const value = text === null ? null : valueOf(text);
  if (value === null) return invalid('the body is not JSON in UTF-8');
  const problem = poison(value.is);
  return problem ? invalid(problem) : done(value.is);
}

/** The text of bytes, or null where they are no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

/** The value of a JSON text, or null where it is none. */
export function valueOf(text: string): { is: unknown } | null {
  try {
    return { is: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/**
 * What in a value could harm a later step, or null.
 * It walks level by level and not recursively, so that a hostile depth cannot overflow the stack.
 */
export function poison(root: unknown): string | null {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEPTH_MAX) return `the body is more than ${String(DEPTH_MAX)} levels deep`;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (Object.hasOwn(value, '__proto__')) return '__proto__ is not accepted as a key';
      const inner = Object.hasOwn(value, 'constructor')
        ? (value as { constructor: unknown }).constructor
        : null;
      if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')) {
        return 'constructor.prototype is not accepted as a key';
      }
      for (const child of Object.values(value))
        if (typeof child === 'object' && child !== null) below.push(child);
    }
    level = below;
  }
  return null;
}
