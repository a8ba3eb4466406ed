/**
 * Asks a Temporal on this machine whether it serves, without Temporal's client: that takes a third of a second of
 * processor time to load and 36 MB, and the launcher asks two questions. Both are gRPC: a message of Protobuf with five bytes
 * before it, over HTTP/2.
 */
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { SEARCH_ATTRIBUTES } from '../../src/domain/search-attributes';
import { NOBODY, saysNobody } from '../../src/runtime/health-look';

const OPERATORS = '/temporal.api.operatorservice.v1.OperatorService/';
const WORKFLOWS = '/temporal.api.workflowservice.v1.WorkflowService/';
const CONNECT_WITHIN_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Whether a dev server on `port` serves every namespace now, and knows its search attributes.
 * @throws while it does not answer: no question is waited for longer than `withinMs`.
 */
export async function isServing(
  port: number,
  namespaces: readonly string[],
  withinMs = ANSWER_WITHIN_MS,
): Promise<boolean> {
  const session = connect(`http://127.0.0.1:${String(port)}`);
  const broken = new Promise<never>((_resolve, reject) => {
    session.once('error', reject).once('close', () => reject(new Error('Temporal closed the connection')));
    session.setTimeout(CONNECT_WITHIN_MS, () => {
      if (session.connecting) session.destroy(new Error('Temporal does not take the connection'));
    });
  });
  try {
    const looks = namespaces.map((namespace) => serves(session, namespace, withinMs));
    return (await Promise.race([Promise.all(looks), broken])).every(Boolean);
  } finally {
    broken.catch(() => undefined);
    session.destroy();
  }
}

async function serves(session: ClientHttp2Session, namespace: string, withinMs: number): Promise<boolean> {
  const ask = (path: string, message: Buffer) => call(session, path, message, withinMs);
  const listed = await ask(`${OPERATORS}ListSearchAttributes`, text(1, namespace));
  if (listed.status !== '0') return false;
  // The custom ones are a map: each entry is a message whose first field is the name.
  const known = new Set(fieldsOf(listed.message, 1).map((entry) => String(fieldsOf(entry, 1)[0])));
  if (!SEARCH_ATTRIBUTES.every(({ name }) => known.has(name))) return false;
  const wanted = Buffer.concat([text(1, namespace), bytes(2, text(1, NOBODY))]);
  const { status, details } = await ask(`${WORKFLOWS}DescribeWorkflowExecution`, wanted);
  return status === '0' || saysNobody(Number(status), details);
}

/** Of gRPC: 0 when it went well. */
interface Answer {
  readonly status: string;
  readonly details: string;
  readonly message: Buffer;
}

function call(session: ClientHttp2Session, path: string, message: Buffer, withinMs: number): Promise<Answer> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let told: IncomingHttpHeaders = {};
    // A server that has nothing to say but that it failed says it in the headers.
    stream.on('response', (headers: IncomingHttpHeaders) => (told = { ...told, ...headers }));
    stream.on('trailers', (trailers: IncomingHttpHeaders) => (told = { ...told, ...trailers }));
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.once('error', reject);
    stream.setTimeout(withinMs, () => stream.destroy(new Error('Temporal does not answer')));
    stream.once('close', () => {
      const { 'grpc-status': status, 'grpc-message': details } = told;
      const message = Buffer.concat(parts).subarray(head.length);
      if (typeof status !== 'string') reject(new Error('Temporal broke off its answer'));
      else resolve({ status, details: typeof details === 'string' ? details : '', message });
    });
    stream.end(Buffer.concat([head, message]));
  });
}

/** A field of Protobuf with bytes; all that is sent is shorter than 128 bytes. */
const bytes = (number: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | LENGTH, value.length]), value]);
const text = (number: number, value: string): Buffer => bytes(number, Buffer.from(value));

/** The two kinds of fields in what is asked: a number, and bytes with their length. */
const NUMBER = 0;
const LENGTH = 2;

/** The values of a field of bytes in a message that has no other kinds of fields. */
function fieldsOf(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = number();
    const value = number();
    if ((tag & 7) === NUMBER) continue;
    if ((tag & 7) !== LENGTH) throw new Error('Temporal answers in a form that is not known');
    if (tag >> 3 === wanted) found.push(message.subarray(at, at + value));
    at += value;
  }
  return found;
}
