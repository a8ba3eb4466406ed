/** Where this checkout is, and the one kind of error that is shown to a person without its stack. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Says what is wrong, why, and what to type. The message is printed as it is, and the process ends with 1. */
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

/** Where a local sandbox keeps its things. A relative DATA_DIR is inside the project, wherever we are run from. */
export function dataFiles(dataDir: string) {
  const path = resolve(projectFolder(), dataDir);
  return {
    path,
    secretsFile: join(path, 'secrets.json'),
    sandboxFile: join(path, 'sandbox.json'),
    mails: join(path, 'mail'),
  };
}
