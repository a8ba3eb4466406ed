/** Sends one request and reads its whole answer, without checking it. */

import { request, type Dispatcher } from 'undici';
import { sighted } from './until';

/** Any JSON value, read without types, as a partner would read it. */
export type Json = ReturnType<typeof JSON.parse>;

/** One answer, read whole. `body` is undefined where there is none. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

export interface CallOptions {
  key?: string;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** By undici's plain request: the `fetch` of Node takes three times as long, and the tests ask very often. */
export async function send(url: string, method: string, options: CallOptions = {}): Promise<Answer> {
  const sent = new Headers(options.headers);
  if (options.key !== undefined) sent.set('Authorization', `Bearer ${options.key}`);
  let content: string | null = null;
  if (options.body !== undefined) {
    content = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
    if (!sent.has('Content-Type')) sent.set('Content-Type', 'application/json');
  }
  const response = await request(url, {
    method,
    headers: Object.fromEntries(sent),
    body: content,
  });
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headers)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  const text = await textOf(response);
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  const body: Json = isJson && text !== '' ? JSON.parse(text) : undefined;
  sighted(`${method} ${new URL(url).pathname}`, { status: response.statusCode, body });
  return { status: response.statusCode, headers, text, body };
}

/** The whole body; of a stream of events, which has no end, its first part. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-type'] !== 'text/event-stream') return body.text();
  for await (const part of body) return String(part);
  return '';
}
