/**
 * Loads packages and the platform's own sources once per process of Jest, and only the modules of the tests anew for
 * every file. Jest would load everything for every file again, which took more time than most files need. It needs one
 * JavaScript realm for files, sources and packages (`environment.ts`).
 *
 * So what a source keeps in a module's variable stays from one file to the next, as it does from one request to the
 * next in a process of the platform. A test that puts something into a table of the sources takes it out again.
 */
const { readFileSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const { join, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** Built-in modules and the framework itself stay with Jest. */
const isPackage = (name) => !/^[./]/.test(name) && !name.startsWith('@jest/') && !isBuiltin(name);

const project = join(__dirname, '..', '..');
const SOURCES = ['src', 'migrations', 'tools', 'examples', 'sdk'].map((room) => join(project, room) + sep);
const isSource = (path) => SOURCES.some((room) => path.startsWith(room));

/** As Jest compiles for a file that it loads by `require`. */
const AS_COMMONJS = {
  supportsDynamicImport: false,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};
/** How the file that runs now is compiled. */
let compiler;
/** Where the lines of each compiled source are those of its text: every file needs all of them for its stacks. */
const sourceMaps = new Map();
require.extensions['.ts'] = (loaded, path) => {
  const { code, sourceMapPath } = compiler.transform(path);
  if (sourceMapPath) {
    sourceMaps.set(path, sourceMapPath);
    compiler.sourceMaps.set(path, sourceMapPath);
  }
  loaded._compile(code, path);
};

/** A thread of the platform compiles its sources by itself: it shares no modules with the process that opens it. */
const threads = require('node:worker_threads');
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    const isOurs = String(file).endsWith('.ts');
    super(file, isOurs ? { ...options, execArgv: ['--require', join(__dirname, 'thread.js')] } : options);
  }
};

module.exports = class extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, ...more) {
    super(config, environment, resolver, transformer, cacheFS, coverage, ...more);
    const options = { ...coverage, ...AS_COMMONJS };
    compiler = {
      transform: (path) => transformer.transform(path, options, readFileSync(path, 'utf8')),
      sourceMaps: this.getSourceMaps(),
    };
    for (const [path, map] of sourceMaps) compiler.sourceMaps.set(path, map);
  }

  /** What the framework itself requires: `expect` and what prints differences keep nothing of a file. */
  requireInternalModule(from, name) {
    const isOfEveryFile = name && /^[a-z@]/.test(name) && !name.startsWith('jest-circus') && !isBuiltin(name);
    return isOfEveryFile ? createRequire(from)(name) : super.requireInternalModule(from, name);
  }

  requireModuleOrMock(from, name) {
    const requireFrom = createRequire(from);
    if (isPackage(name)) return requireFrom(name);
    const isOurs = name.startsWith('.') && isSource(requireFrom.resolve(name));
    return isOurs ? requireFrom(name) : super.requireModuleOrMock(from, name);
  }
};
