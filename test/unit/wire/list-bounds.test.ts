/** Every list in a body is refused by its length before one of its items is looked at, so that no short body costs much (R55). */
import type { z } from 'zod';
import { ROUTES } from '../../../src/api/routes';

/** The lists of a schema whose items are looked at however many they are, by their paths. */
function unbounded(schema: z.core.$ZodType, path: string, isBounded = false): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') {
    return [...(isBounded ? [] : [path]), ...unbounded(def.element, `${path}[]`)];
  }
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([name, field]) => unbounded(field, `${path}.${name}`));
  }
  if (def.type === 'union') return def.options.flatMap((option) => unbounded(option, path));
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default') {
    return unbounded(def.innerType, path);
  }
  if (def.type !== 'pipe') return [];
  // What is done before a list is `atMost`; the preparation of what is optional comes before that.
  const isPrepared = def.in._zod.def.type === 'transform';
  return isPrepared ? unbounded(def.out, path, def.out._zod.def.type === 'array') : unbounded(def.in, path);
}

const BODIES = ROUTES.flatMap(({ operation, doc }) => (doc.body ? [{ operation, body: doc.body }] : []));

test('there are many bodies', () => expect(BODIES.length).toBeGreaterThan(30));

test('no list in them is without a bound', () => {
  expect(BODIES.flatMap(({ operation, body }) => unbounded(body, operation))).toEqual([]);
});
