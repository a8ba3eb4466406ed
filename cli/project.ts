/** Finds files of the checkout that the command line belongs to, from its source and from its build. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = (function up(folder: string): string {
  return existsSync(join(folder, 'openapi.reference.json')) ? folder : up(dirname(folder));
})(__dirname);

export const projectFile = (...names: string[]): string => join(root, ...names);
