/**
 * Reads the body of a bulk transfer whole: as JSON, or with one line of the bulk transfer in each line of the body (NDJSON). It
 * is done in a thread where the body is large, and gives everything that needs all lines.
 */
import { BULK_LINES_MAX } from '../../domain/bulk-transfers';
import { done, map, type Outcome } from '../../domain/outcome';
import { bulkBody, linesOf, placesOfBulk, readBulk, type BulkRequest } from '../../wire/bulk-transfers';
import { ignoredFields, knownFields } from '../../wire/ignored-fields';
import { invalid } from '../../wire/read';
import { LARGE_STRUCTURE_MAX, parseJson, poison, textOf, valueOf } from '../body';
import { hashOfRequest } from '../canonical';
import { inexactNumbers } from '../exact-numbers';
import { keptOf } from '../kept-text';
import type { Prepared } from '../prepared';

/** The body as it came. */
export interface BulkBytes {
  bytes: Uint8Array;
  /** Whether it has one line of the bulk transfer in each line. */
  isLines: boolean;
  operation: string;
  params: Record<string, string>;
}

/** @returns what the operation needs of the body, or why it is refused: VALIDATION_ERROR, PAYLOAD_TOO_LARGE. */
export function readBulkBody({ bytes, isLines, operation, params }: BulkBytes): Prepared<BulkRequest> {
  const body = isLines
    ? parseLines(bytes)
    : parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), LARGE_STRUCTURE_MAX);
  if (!body.ok) {
    return {
      head: undefined,
      places: 1,
      later: 0,
      kept: { text: null, isCut: false },
      ignored: [],
      read: body,
    };
  }
  const { value } = body;
  return {
    head: headOf(value),
    places: placesOfBulk(value),
    later: linesOf(value),
    kept: keptOf(bulkBody, value),
    ignored: ignoredFields(knownFields(bulkBody), value),
    read:
      (isLines ? null : inexactNumbers(bytes)) ??
      map(readBulk(value), (request) => ({
        request,
        hash: hashOfRequest([operation, params, request]),
      })),
  };
}

/** The fields of the whole. */
function headOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { reference } = body as { reference?: unknown };
  return typeof reference === 'string' ? { reference } : {};
}

/**
 * The first line is the bulk transfer without its `transfers`, and each line after it is one of these. Reading stops at the
 * first line that is no JSON.
 */
function parseLines(bytes: Uint8Array): Outcome<unknown> {
  const text = textOf(bytes);
  if (text === null) return invalid('the body is not UTF-8');
  const values: unknown[] = [];
  // One line more than there may be is read, so that the refusal is the same as for JSON.
  for (let at = 0; at < text.length && values.length < BULK_LINES_MAX + 2;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    const value = valueOf(line);
    if (value === null) return invalid(`line ${String(values.length + 1)} of the body is not JSON`);
    const inexact = inexactNumbers(Buffer.from(line));
    if (inexact) return inexact;
    values.push(value.is);
    at = end + 1;
  }
  const [head, ...transfers] = values;
  if (typeof head !== 'object' || head === null || Array.isArray(head) || 'transfers' in head) {
    return invalid('the first line must be the bulk transfer as an object without its transfers');
  }
  const body = { ...head, transfers };
  // The copy of the first line has no key any more that would harm it.
  const problem = poison([head, transfers]);
  return problem ? invalid(problem) : done(body);
}
