/** Every list in a body is refused by its length before one of its items is looked at, so that no short body costs much (R55). */
import type { z } from 'zod';
import { ROUTES } from '../../../src/api/routes';

/** The lists of a schema whose items are looked at however many they are, by their paths. */
function unbounded(schema: z.core.$ZodType, path: string, isBounded = false): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'array':
      return [...(isBounded ? [] : [path]), ...unbounded(def.element, `${path}[]`)];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => unbounded(field, `${path}.${name}`));
    case 'union':
      return def.options.flatMap((option) => unbounded(option, path));
    case 'optional':
    case 'nullable':
    case 'default':
      return unbounded(def.innerType, path);
    case 'pipe': {
      // What is done before a list is `atMost`; the preparation of what is optional comes before that.
      const isPrepared = def.in._zod.def.type === 'transform';
      return isPrepared
        ? unbounded(def.out, path, def.out._zod.def.type === 'array')
        : unbounded(def.in, path);
    }
    default:
      return [];
  }
}

const BODIES = ROUTES.flatMap(({ operation, doc }) => (doc.body ? [{ operation, body: doc.body }] : []));

test('there are many bodies', () => expect(BODIES.length).toBeGreaterThan(30));

test('no list in them is without a bound', () => {
  expect(BODIES.flatMap(({ operation, body }) => unbounded(body, operation))).toEqual([]);
});
