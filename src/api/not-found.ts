/**
 * Why a request was answered 404 or 405: no operation has its path or method, an id in its path can be the id of nothing, or
 * nothing of the caller has that id (D116, D165). Only the path decides between the last two, so an answer says nothing about
 * what others have.
 */
import { refuse, type Refused } from '../domain/outcome';
import { notFound } from '../domain/refusal-reasons';
import { canonicalId, type IdKind } from '../wire/ids';
import { readUserRef } from '../wire/kyc';
import { nearestTo } from '../wire/nearest';
import { readQrReference } from '../wire/payments';
import { readRequestId } from '../wire/requests';
import { readSessionId } from '../wire/ussd';

/** The kinds of ids that have a prefix of their own, by the word before them in the path (D173). */
const KINDS: Readonly<Record<string, IdKind>> = {
  wallets: 'wallet',
  transactions: 'transaction',
  'bank-transfers': 'transaction',
};

/** Parameters of paths that are no uuids, and how they are read. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  userRef: readUserRef,
  reference: readQrReference,
  sessionId: readSessionId,
  request_id: readRequestId,
  // Words, and days, of the operator port: one that is unknown is the name of nothing, and no malformed id.
  environment: (text) => text,
  provider: (text) => text,
  day: (text) => text,
};

interface Addressed {
  method: string;
  path: string;
}

/** The refusal with its reason, where it is a NOT_FOUND that has none yet. Every other one stays as it is. */
export function withReason<Code extends string>(
  { path }: Addressed,
  params: Readonly<Record<string, string>>,
  refused: Refused<Code>,
): Refused<Code> {
  const { code, detail, message } = refused.refusal;
  if (code !== 'NOT_FOUND' || detail?.['reason'] !== undefined) return refused;
  const words = path.split('/');
  const isMalformed = words.some((word, place) => {
    if (!word.startsWith(':')) return false;
    const name = word.slice(1);
    const kind = KINDS[words[place - 1] ?? ''] ?? 'other';
    const read = READERS[name] ?? ((text: string) => canonicalId(text, kind));
    return read(params[name] ?? '') === null;
  });
  const { refusal } = notFound(isMalformed ? 'malformed_id' : 'not_found', detail);
  return { ok: false, refusal: { ...refusal, ...(message !== undefined && { message }), code } };
}

/** A longer path is not compared. */
const PATH_MAX = 200;

/**
 * What a caller may have meant with a path that no operation has, or with a method that the operations of its path do not have.
 * @param operations all that there are.
 */
export function createNearest(operations: readonly Addressed[]) {
  const known = operations.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    words: path.split('/'),
  }));

  /** The operation with the path that differs in the fewest letters; one with the same method first. */
  function nearest(method: string, path: string): Addressed | null {
    if (path.length > PATH_MAX) return null;
    const words = path.replace(/\/+$/, '').split(/\/+/);
    const isVersion = /^v[0-9]+$/i.test(words[1] ?? '');
    const versioned = [words, ['', 'v1', ...words.slice(isVersion ? 2 : 1)]];
    let [best, least] = [null as Addressed | null, Number.POSITIVE_INFINITY];
    for (const operation of known) {
      for (const asked of versioned) {
        const far = farFrom(operation.words, asked);
        if (far === null) continue;
        const cost = far * 2 + (operation.method === method ? 0 : 1);
        if (cost < least) [best, least] = [{ method: operation.method, path: operation.path }, cost];
      }
    }
    return best;
  }

  return {
    /** No operation has this path. */
    unknownPath(method: string, path: string): Refused {
      const found = nearest(method, path);
      return notFound('no_such_operation', found ? { nearest: found } : {});
    },
    /** @param methods of the operations of the path. */
    wrongMethod(methods: readonly string[], path: string): Refused {
      const [method = ''] = methods;
      const template = path.replaceAll(/:(\w+)/g, '{$1}');
      return refuse('METHOD_NOT_ALLOWED', {
        message: `The method is not allowed here; the path has: ${methods.join(', ')}`,
        detail: { reason: 'no_such_operation', nearest: { method, path: template } },
      });
    },
  };
}

/** How many letters differ; null where they have nothing to do with one another. A parameter takes every word. */
function farFrom(words: readonly string[], asked: readonly string[]): number | null {
  if (words.length !== asked.length) return null;
  let far = 0;
  for (const [place, word] of words.entries()) {
    if (word.startsWith(':')) continue;
    const letters = nearestTo(asked[place] ?? '', [word])?.letters;
    if (letters === undefined) return null;
    far += letters;
  }
  return far;
}
