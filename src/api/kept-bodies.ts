/**
 * What the log of requests keeps of the bodies of a request: their beginning as JSON text, in which what is secret or personal
 * is hidden (D209). It is made after the answer was sent, and from the schemas of the operation alone.
 */
import type { z } from 'zod';
import type { KeptBodies } from '../domain/request-log';
import { DIALECTS } from '../wire/forms';
import { HIDDEN, shownBy, shownByAll, withHidden, type Shown } from '../wire/hidden-fields';
import { NOT_A_FIELD } from '../wire/ignored-fields';
import { NOT_A_PARAMETER } from '../wire/read';
import { cut, type KeptText } from './kept-text';

/** A longer answer, such as a page of a list, is not taken apart for its beginning. */
const ANSWER_MAX_LENGTH = 16_384;

/** The part of a route that says what its bodies are. */
interface Documented {
  doc: { body?: z.ZodType; answer: { body: z.ZodType | null } };
}

/** The bodies of a request as they came and went. */
export interface Bodies {
  route: Documented;
  /** The body as it was parsed; undefined without one that could be. */
  asked: unknown;
  /** What is kept of a body that was read elsewhere, in the place of `asked`. */
  keptAsked?: KeptText;
  /** The text of the answer; null without one, and for what is made while its caller reads it. */
  answered: string | null;
}

/** What may be shown of the bodies of an operation; null of one that it does not have. */
interface ShownOf {
  asked: Shown | null;
  answered: Shown | null;
}

const shownOf = new Map<Documented, ShownOf>();
const REFUSAL = shownByAll(Object.values(DIALECTS).map(({ error }) => shownBy(error.schema)));

function schemasOf(route: Documented): ShownOf {
  const known = shownOf.get(route);
  if (known) return known;
  const { body, answer } = route.doc;
  const made = { asked: body ? shownBy(body) : null, answered: answer.body && shownBy(answer.body) };
  shownOf.set(route, made);
  return made;
}

/** @param status of the answer; null when its caller had gone. */
export function keptBodies({ route, asked, keptAsked, answered }: Bodies, status: number | null): KeptBodies {
  const shown = schemasOf(route);
  const isTooLong = answered !== null && answered.length > ANSWER_MAX_LENGTH;
  const request =
    keptAsked ?? cut(shown.asked && asked !== undefined ? withHidden(shown.asked, asked) : undefined);
  const response = cut(
    answered === null || isTooLong || status === null ? undefined : answerOf(shown, status, answered),
  );
  return {
    requestBody: request.text,
    responseBody: response.text,
    truncated: request.isCut || response.isCut || isTooLong,
  };
}

function answerOf({ answered: shown }: ShownOf, status: number, text: string): unknown {
  const isRefusal = status >= 400;
  if (!isRefusal && !shown) return undefined;
  const value = parsed(text);
  if (!isRefusal) return shown && withHidden(shown, value);
  // The caller made up the name of such a parameter, and message and field repeat it.
  return text.includes(NOT_A_PARAMETER) || text.includes(NOT_A_FIELD) ? HIDDEN : withHidden(REFUSAL, value);
}

/** undefined for what is no JSON, such as a picture. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
