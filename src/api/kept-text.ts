/** The beginning of a body as the log of requests keeps it, wherever the body was read. */
import type { z } from 'zod';
import { BODY_KEPT_BYTES } from '../domain/request-log';
import { shownBy, withHidden } from '../wire/hidden-fields';

/** The beginning of a body, and whether there is more of it. */
export interface KeptText {
  text: string | null;
  isCut: boolean;
}

/** What is kept of a body, made where the body was read. @param schema of the operation's bodies. */
export const keptOf = (schema: z.ZodType, value: unknown): KeptText =>
  cut(value === undefined ? undefined : withHidden(shownBy(schema), value));

/** @param value a body in which everything is hidden that may not be shown; undefined without one. */
export function cut(value: unknown): KeptText {
  if (value === undefined || value === null) return { text: null, isCut: false };
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= BODY_KEPT_BYTES) return { text, isCut: false };
  // What is cut within a character ends with the sign for what is none.
  return {
    text: Buffer.from(text)
      .toString('utf8', 0, BODY_KEPT_BYTES)
      .replace(/\uFFFD$/, ''),
    isCut: true,
  };
}
