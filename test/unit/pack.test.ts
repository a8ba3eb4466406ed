/** A pack gives the same modules as the files, and is not used where one of the files is another one. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { projectFolder } from '../../src/administration/project';

/** A project of three files, with the packer as a fourth. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-pack-'));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, 'node_modules', 'other'), { recursive: true });
  write('package.json', '{}');
  write('node_modules/other/package.json', '{ "main": "main.cjs" }');
  write(
    'node_modules/other/main.cjs',
    'exports.where = __filename; exports.parent = require.resolve("../../part");',
  );
  write('part.js', 'exports.name = "Adé"; exports.fails = () => { throw new Error("here"); };');
  write(
    'main.js',
    'module.exports = { ...require("./part"), ...require("other"), id: module.id, main: require.main === module };',
  );
  const project = 'exports.projectFolder = () => __dirname;';
  write('project.js', project);
  const source = readFileSync(join(projectFolder(), 'tools', 'launcher', 'pack.ts'), 'utf8').replace(
    '../../src/administration/project',
    './project',
  );
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  write('pack.js', code);
  return folder;
}

const PRINT = `
  const { name, where, parent, id, main, fails } = require('./main.js');
  let stack = ''; try { fails() } catch (error) { stack = error.stack.split('\\n')[1].trim() }
  console.log(JSON.stringify({ name, where, parent, id, main, stack, compiled: process.compiled ?? 0 }));`;
/** Counts what is compiled from a pack that V8 has taken. */
const COUNT = `
  const vm = require('node:vm'); process.compiled = 0;
  const { Script } = vm;
  vm.Script = class extends Script { constructor(...given) { super(...given); if (this.cachedDataRejected === false) process.compiled += 1; } };`;

function run(folder: string, program: string): Record<string, unknown> {
  const words = execFileSync(process.execPath, ['-e', program], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return words === '' ? {} : (JSON.parse(words) as Record<string, unknown>);
}
const write = (folder: string) =>
  run(folder, `require('./pack').writePack('one', () => require('./main.js'))`);
const use = (folder: string) => run(folder, `${COUNT} require('./pack').usePack('one'); ${PRINT}`);

let folder: string;
beforeEach(() => {
  folder = project();
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a program with a pack loads what it would load without, by the same names', () => {
  const plain = run(folder, PRINT);
  write(folder);
  expect(use(folder)).toEqual({ ...plain, compiled: 3 });
  expect(plain).toMatchObject({ name: 'Adé', stack: expect.stringMatching(/part\.js:1:\d+\)$/) as string });
});

test.each<[string, (file: string) => void]>([
  ['longer', (file) => appendFileSync(file, ' ')],
  ['newer', (file) => utimesSync(file, new Date(), new Date(Date.now() + 5_000))],
])('a pack is not used when one of its files is %s', (_how, change) => {
  const plain = run(folder, PRINT);
  write(folder);
  change(join(folder, 'node_modules', 'other', 'main.cjs'));
  expect(use(folder)).toEqual(plain);
});

test('a file that is gone is missed, with or without a pack', () => {
  write(folder);
  rmSync(join(folder, 'part.js'));
  expect(() => use(folder)).toThrow(/Cannot find module '.\/part'/);
});

test('what is no pack is not used', () => {
  const plain = run(folder, PRINT);
  write(folder);
  writeFileSync(join(folder, 'dist', 'packs', 'one'), 'not a pack');
  expect(use(folder)).toEqual(plain);
});
