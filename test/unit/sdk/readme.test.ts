/** The examples of the SDK's README compile, as a partner would paste them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(__dirname, '../../../sdk');
const examples = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code = '']) => code,
);
/** What the examples leave to the reader. */
const GIVEN = `
  declare const ada: string;
  declare const bola: string;
  declare const order: { id: string };
  declare function tellThePayer(): void;`;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  paths: { '@partner-wallet/sdk': [join(folder, 'src/index.ts')] },
  allowImportingTsExtensions: true,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** What the compiler says of a program of one file. */
function problemsOf(code: string): string[] {
  const path = join(folder, 'example.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, options) =>
    name === path ? ts.createSourceFile(name, code, options) : getSourceFile(name, options);
  const program = ts.createProgram([path], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test.each(examples)('example %#', (code) => expect(problemsOf(code + GIVEN)).toEqual([]));

test('an example that does not fit the SDK would be noticed', () => {
  const [first = ''] = examples;
  expect(problemsOf(first.replace('source_wallet', 'source_purse') + GIVEN)).toEqual([
    expect.stringContaining("'source_purse' does not exist"),
  ]);
});
