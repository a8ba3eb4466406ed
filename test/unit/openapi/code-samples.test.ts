/** Every operation of the reference document shows what it answers, and how it is called, by code that is right. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { CodeSample } from '../../../src/api/openapi/samples';
import { referenceText } from '../../../src/api/openapi/reference';
import { temporaryFolder } from '../../cli/folder';

interface Operation {
  operationId: string;
  'x-codeSamples': CodeSample[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { $ref?: string; content?: Record<string, Answer> }>;
}
interface Answer {
  schema: object;
  example?: unknown;
  examples?: Record<string, unknown>;
}

const document = JSON.parse(referenceText()) as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const folder = temporaryFolder();
const root = join(__dirname, '..', '..', '..');

const sourcesIn = (lang: CodeSample['lang']): [name: string, source: string][] =>
  operations.map(({ operationId, 'x-codeSamples': all }) => [
    operationId,
    all.find((one) => one.lang === lang)?.source ?? '',
  ]);

const has = (program: string): boolean => spawnSync(program, ['-h']).error === undefined;

test('every answer with JSON has an example, and the example of a success fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const wrong: string[] = [];
  let seen = 0;
  for (const { operationId, responses } of operations) {
    for (const [status, { $ref, content }] of Object.entries(responses)) {
      const json = content?.['application/json'];
      if ($ref !== undefined || !json) continue;
      if (json.example === undefined && Object.keys(json.examples ?? {}).length === 0) {
        wrong.push(`${operationId} ${status}: no example`);
      }
      if (json.example === undefined) continue;
      seen += 1;
      const schema = JSON.parse(
        JSON.stringify(json.schema).replaceAll('"#/components', '"document#/components'),
      ) as object;
      if (!ajv.validate(schema, json.example)) wrong.push(`${operationId} ${status}: ${ajv.errorsText()}`);
      if (/"(?:text|-9007199254740991)"/.test(JSON.stringify(json.example))) {
        wrong.push(`${operationId} ${status}: a field says nothing`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});

test('an operation is shown in four languages, and what it sends is its example', () => {
  for (const { operationId, requestBody, 'x-codeSamples': all } of operations) {
    expect([operationId, all.map(({ label }) => label)]).toEqual([
      operationId,
      ['curl', 'TypeScript', 'Python', 'Go'],
    ]);
    const example = requestBody?.content['application/json']?.example;
    if (example === undefined) continue;
    const sent = /-d '([^]*)'$/.exec(all[0]?.source ?? '')?.[1]?.replaceAll(`'\\''`, "'");
    expect([operationId, JSON.parse(sent ?? 'null')]).toEqual([operationId, example]);
  }
});

test('what is shown in TypeScript compiles against the SDK', () => {
  for (const [name, source] of sourcesIn('TypeScript')) {
    writeFileSync(join(folder, `${name}.ts`), `${source}\nexport {};\n`);
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'esnext',
    target: 'es2022',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    paths: { '@partner-wallet/sdk': [join(root, 'sdk', 'src', 'index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});

(has('python3') ? test : test.skip)(
  'what is shown in Python is Python (without Python this is skipped)',
  () => {
    const { status, stderr } = spawnSync(
      'python3',
      ['-c', 'import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)'],
      { input: JSON.stringify(sourcesIn('Python').map(([, source]) => source)), encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
  },
);

(has('gofmt') ? test : test.skip)(
  'what is shown in Go is Go, as its formatter writes it (without Go this is skipped)',
  () => {
    for (const [name, source] of sourcesIn('Go')) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'main.go'), `${source}\n`);
    }
    const { status, stdout, stderr } = spawnSync('gofmt', ['-l', folder], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  },
);
