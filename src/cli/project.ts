/** Where this checkout lives, and the one kind of error that is shown to a person without its stack. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is wrong, why, and what to type. Printed as it is; the process then ends with 1. */
export class StartError extends Error {}

/** The folder that holds package.json, from the sources and from the build alike. */
export function projectFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`no package.json above ${__dirname}`);
    folder = above;
  }
  return folder;
}
