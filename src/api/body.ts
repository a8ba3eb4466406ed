/**
 * Reads a JSON body within hard limits: size, encoding, depth and keys that would poison an object are
 * refused before anything looks at the content (D117, D151, D152, G27).
 */
import type { IncomingMessage } from 'node:http';
import { done, refuse, type Outcome, type Refused } from '../domain/outcome';
import { invalid } from '../wire/read';
import { inexactNumbers } from './exact-numbers';

export const BODY_MAX_BYTES = 262_144;
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

/**
 * @param mayBeEmpty for operations whose every field is optional: no body at all then reads as `{}`, and needs
 *   no content type.
 * @param maxBytes of an operation that takes more than others.
 */
export async function readJsonBody(
  request: IncomingMessage,
  mayBeEmpty = false,
  maxBytes = BODY_MAX_BYTES,
): Promise<Outcome<unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  if (mayBeEmpty && hasNoBody(request)) return done({});
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    return invalid('Content-Type must be application/json');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return invalid('a compressed body is not accepted');
  const bytes = await readBytes(request, maxBytes);
  if (bytes === null) return tooLarge(maxBytes);
  const read = parseJson(bytes);
  return (read.ok && inexactNumbers(bytes)) || read;
}

/** Whether the headers announce no body: a length of zero, or neither a length nor a transfer encoding. */
const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;

/** Reads the bytes as they came, for bodies that are signed or not JSON. */
export async function readRawBody(request: IncomingMessage): Promise<Outcome<Buffer>> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return tooLarge(BODY_MAX_BYTES);
  const bytes = await readBytes(request, BODY_MAX_BYTES);
  return bytes === null ? tooLarge(BODY_MAX_BYTES) : done(bytes);
}

/** Reads by events, because an async iterator costs several times as much and most bodies are one chunk. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners('data').pause();
        resolve(null);
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error('the request was closed before its body was read'));
    });
  });
}

/** Reads bytes as JSON, and refuses what could harm a later step. */
export function parseJson(bytes: Buffer): Outcome<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    return invalid('the body is not JSON in UTF-8');
  }
  const problem = poison(value);
  return problem ? invalid(problem) : done(value);
}

/** Walks level by level and not recursively, so that a hostile depth cannot overflow the stack. */
function poison(root: unknown): string | null {
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
