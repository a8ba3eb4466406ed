/** docs/operators.md lists the operator port's table: the same rows, in the same order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operators.md'), 'utf8');
const written = [...page.matchAll(/^\| `(GET|POST) (\/ops\S*)` +\| (.*?) +\|$/gm)].map(
  ([, method, path, summary]) => ({ method, path, summary }),
);

test('docs/operators.md and the table say the same', () => {
  expect(written).toEqual(OPERATOR_ROUTES.map(({ method, path, summary }) => ({ method, path, summary })));
});

test.each(['path', 'action'] as const)('no %s occurs twice', (part) => {
  const all = OPERATOR_ROUTES.map((route) => `${route.method} ${route[part]}`);
  expect(new Set(all).size).toBe(all.length);
});
