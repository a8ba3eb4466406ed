/**
 * `npm run openapi` and `npm run reference`: write the files that are made from the tables in the code. With
 * --check nothing is written; the exit code says whether the files are what they should be.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument, Command } from 'commander';
import { projectFolder } from '../../src/administration/project';
import { MADE_FILES } from './files';

type Set = keyof typeof MADE_FILES;

new Command('reference')
  .addArgument(new Argument('<set>', 'which files').choices(Object.keys(MADE_FILES)))
  .option('--check', 'compare instead of writing', false)
  .action((set: Set, { check }: { check: boolean }) => {
    for (const [file, make] of Object.entries(MADE_FILES[set])) {
      const path = join(projectFolder(), file);
      if (!check) write(path, make());
      else if (read(path) !== make()) {
        process.stderr.write(`${file} is not what the code says: npm run ${set}\n`);
        process.exitCode = 1;
      }
    }
  })
  .parse();

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
