/** Ids, references and cursors out of the platform's own answers, to be used in later requests. */
import type { Answer, Json } from '../support/api';
import type { Request } from './requests';
import { isPick } from './schemas';

export interface Known {
  /** Replaces the parts of a value that stand for something known. */
  resolve(value: unknown): unknown;
  learn(request: Request, answer: Answer): void;
  add(kind: string, value: string): void;
  forget(): void;
}

/** Fields of answers under the names by which requests ask for them. */
const FIELDS: Record<string, string[]> = {
  transaction_id: ['transaction_id', 'transactions'],
  session_id: ['session_id'],
  verification_id: ['verification_id'],
  reference: ['reference', 'qr_reference'],
  user_ref: ['user_ref'],
  next_cursor: ['cursor'],
};
/** How many values of a kind are kept: few, so that each is used often. */
const KEPT = 40;

export function createKnown(): Known {
  const kinds = new Map<string, string[]>();
  const known: Known = {
    resolve(value) {
      if (isPick(value)) {
        const values = kinds.get(value.known) ?? [];
        return values[value.index % Math.max(1, values.length)] ?? value.otherwise;
      }
      if (Array.isArray(value)) return value.map(known.resolve);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, known.resolve(inner)]));
    },
    learn(request, { body }) {
      const data: Json = body?.data ?? body ?? {};
      const place = request.path.split('/').at(-1) ?? '';
      if (request.method === 'POST' && typeof data.id === 'string') {
        known.add(['p2p', 'bank', 'pay'].includes(place) ? 'transactions' : place, data.id);
        if (place === 'bank') known.add('transaction_id', data.id);
      }
      for (const fields of [data, body?.meta ?? {}]) {
        for (const [field, names] of Object.entries(FIELDS)) {
          const value: unknown = fields[field];
          if (typeof value === 'string') for (const name of names) known.add(name, value);
        }
      }
    },
    add(kind, value) {
      kinds.set(kind, [...(kinds.get(kind) ?? []).slice(-KEPT), value]);
    },
    forget: () => kinds.clear(),
  };
  return known;
}
