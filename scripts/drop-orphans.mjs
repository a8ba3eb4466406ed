/** Removes from the build what has no source any more: a file left there would hide a folder of the same name. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist');

for (const folder of ['src', 'migrations'].map((name) => join(built, name)).filter(existsSync)) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const source = join(root, relative(built, path)).replace(/(\.d)?\.(js|ts)(\.map)?$/, '.ts');
    if (entry.isFile() && /\.(js|ts)(\.map)?$/.test(path) && !existsSync(source)) rmSync(path);
  }
}
