/** Sends one request and reads its whole answer, without checking it. */

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

export async function send(url: string, method: string, options: CallOptions = {}): Promise<Answer> {
  const headers = new Headers(options.headers);
  if (options.key !== undefined) headers.set('Authorization', `Bearer ${options.key}`);
  if (options.body !== undefined && !headers.has('Content-Type')) {
    headers.set('Content-Type', 'application/json');
  }
  const init: RequestInit = { method, headers };
  if (options.body !== undefined) {
    init.body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
  }
  const response = await fetch(url, init);
  const text = await textOf(response);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body: Json = isJson && text !== '' ? JSON.parse(text) : undefined;
  sighted(`${method} ${new URL(url).pathname}`, { status: response.status, body });
  return { status: response.status, headers: response.headers, text, body };
}

/** The whole body; of a stream of events, which has no end, its first part. */
async function textOf(response: Response): Promise<string> {
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (!isStream || response.body === null) return response.text();
  const reader = response.body.getReader();
  const { value = new Uint8Array() } = await reader.read();
  await reader.cancel();
  return Buffer.from(value).toString();
}
