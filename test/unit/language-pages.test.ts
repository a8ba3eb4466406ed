/** The pages for other languages show code of programs that `npm run clients` runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (...names: string[]): string => readFileSync(join(__dirname, '../..', ...names), 'utf8');

test.each([
  ['python', 'pay.py'],
  ['go', 'pay.go'],
  ['php', 'pay.php'],
])('the code in the page for %s is that of %s', (language, program) => {
  const page = read('docs', 'how-to', `use-from-${language}.md`);
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, of]) => of === language);
  expect(blocks.length).toBeGreaterThan(1);
  for (const [, , code] of blocks) expect(read('examples', 'clients', program)).toContain(code);
});
