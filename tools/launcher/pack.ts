/**
 * A pack: the modules that a program of the sandbox loads, in one file, with what V8 has made of them. Most of a start is
 * finding, reading and compiling the same thousand files again. A module from a pack is the same text under the same file
 * name. Where a pack does not fit, modules are loaded as everywhere else; production has no packs.
 *
 * The package for this, v8-compile-cache, cannot load a package that requires an ES module, and Node has a cache of its own
 * (module.enableCompileCache) only from 22.1 on.
 */
import Module from 'node:module';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { Script, constants } from 'node:vm';
import { projectFolder } from '../../src/administration/project';

/** In the order of the file, with its size and its time when it was packed. */
interface PackedModule {
  /** Relative to the project. */
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly sourceBytes: number;
  /** What V8 has made of the source. It refuses what another version of V8 has made, and compiles then. */
  readonly codeBytes: number;
}

/** The first line of a pack; the sources and codes follow. */
interface Contents {
  /** What a name leads to may differ between versions of Node. */
  readonly node: string;
  readonly modules: readonly PackedModule[];
  /** By folder and by what is required there: the file, relative to the project, or the name of a part of Node. */
  readonly resolved: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What Node has beside what its types show. Packages have been built on it since the first versions of Node. */
interface Loader {
  _extensions: Record<string, (module: LoadedModule, file: string) => void>;
  _resolveFilename(request: string, parent?: { path?: string }, isMain?: boolean, options?: object): string;
  _cache: NodeJS.Dict<NodeJS.Module>;
}
type LoadedModule = NodeJS.Module & { require: (request: string) => unknown };
const loader = Module as unknown as Loader;
/** The module that the process runs. It is known only after a script that runs before it. */
const runs = process as { readonly mainModule?: NodeJS.Module };

const packFile = (name: string): string => join(projectFolder(), 'dist', 'packs', name);
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';

/**
 * The pack that is in use. It is reached from here alone: an error that somebody keeps has the functions that ran when it was
 * made, with all that these hold.
 */
let current: Pack | null = null;
const extensions = loader._extensions;
const loadJs = extensions['.js'] as Loader['_extensions'][string];
const resolve = loader._resolveFilename;

/** Takes modules from the pack of that name from now on, until `endPack`. Does nothing when there is none that fits. */
export function usePack(name: string): void {
  current = readPack(name);
  if (current === null) return;
  extensions['.js'] = loadPacked;
  loader._resolveFilename = resolvePacked;
}

function loadPacked(module: LoadedModule, file: string): void {
  const packed = current?.modules.get(file);
  if (packed === undefined) loadJs(module, file);
  else run(compile(packed.source(), file, packed.code), module, file);
}

const resolvePacked: Loader['_resolveFilename'] = (request, parent, isMain, options) =>
  (options === undefined && parent?.path !== undefined && current?.resolved.get(parent.path)?.get(request)) ||
  resolve.call(loader, request, parent, isMain, options);

/** Lets go of the pack, which is several megabytes. What is loaded later is loaded as everywhere else. */
export function endPack(): void {
  current = null;
  extensions['.js'] = loadJs;
  loader._resolveFilename = resolve;
}

/** Removes the pack of that name, if there is one. */
export const dropPack = (name: string): void => rmSync(packFile(name), { force: true });

/** Loads modules by `load`, and writes the pack of that name with all that were loaded. For the build alone. */
export function writePack(name: string, load: () => void): void {
  const project = projectFolder();
  const scripts = new Map<string, { source: string; script: Script }>();
  const resolved: Record<string, Record<string, string>> = {};
  extensions['.js'] = (module, file) => {
    const source = readFileSync(file, 'utf8');
    const script = isCommonJs(file) ? tryTo(() => compile(source, file)) : undefined;
    if (script === undefined) {
      loadJs(module, file);
      return;
    }
    scripts.set(file, { source, script });
    run(script, module, file);
  };
  loader._resolveFilename = (request, parent, isMain, options) => {
    const file = resolve.call(loader, request, parent, isMain, options);
    if (options === undefined && parent?.path !== undefined)
      (resolved[relative(project, parent.path)] ??= {})[request] = shortOf(project, file);
    return file;
  };
  load();

  const modules: PackedModule[] = [];
  const parts: Buffer[] = [];
  for (const [path, { source, script }] of scripts) {
    const { size, mtimeMs } = statSync(path);
    const bytes = Buffer.from(source);
    const code = script.createCachedData();
    const file = relative(project, path);
    modules.push({ file, size, mtimeMs, sourceBytes: bytes.length, codeBytes: code.length });
    parts.push(bytes, code);
  }
  const contents: Contents = { node: process.version, modules, resolved };
  mkdirSync(dirname(packFile(name)), { recursive: true });
  const unfinished = `${packFile(name)}.${String(process.pid)}`;
  writeFileSync(unfinished, Buffer.concat([Buffer.from(`${JSON.stringify(contents)}\n`), ...parts]));
  renameSync(unfinished, packFile(name));
}

interface Pack {
  readonly modules: ReadonlyMap<string, { source: () => string; code: Buffer }>;
  readonly resolved: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** @returns null where there is no pack, and where one of its files is another one by now. */
function readPack(name: string): Pack | null {
  const project = projectFolder();
  const bytes = tryTo(() => readFileSync(packFile(name)));
  if (bytes === undefined) return null;
  let at = bytes.indexOf('\n') + 1;
  const contents = tryTo(() => JSON.parse(bytes.toString('utf8', 0, at)) as Contents);
  if (contents?.node !== process.version) return null;
  const modules = new Map<string, { source: () => string; code: Buffer }>();
  for (const { file, size, mtimeMs, sourceBytes, codeBytes } of contents.modules) {
    const path = join(project, file);
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.size !== size || now.mtimeMs !== mtimeMs) return null;
    const [begin, middle] = [at, at + sourceBytes];
    at = middle + codeBytes;
    modules.set(path, {
      source: () => bytes.toString('utf8', begin, middle),
      code: bytes.subarray(middle, at),
    });
  }
  const resolved = new Map(
    Object.entries(contents.resolved).map(([folder, names]) => [
      join(project, folder),
      new Map(Object.entries(names).map(([request, file]) => [request, longOf(project, file)])),
    ]),
  );
  return { modules, resolved };
}

/** Parts of Node have names, which are no paths; all else is a path from the project. */
const shortOf = (project: string, file: string): string =>
  Module.isBuiltin(file) ? `:${file}` : relative(project, file);
const longOf = (project: string, file: string): string =>
  file.startsWith(':') ? file.slice(1) : join(project, file);

/** Its first line is where it is in the file, so that stacks are those of the file. */
const compile = (source: string, file: string, cachedData?: Buffer): Script =>
  new Script(`${HEAD}${source}${TAIL}`, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });

/** As Node runs a module. */
function run(script: Script, module: LoadedModule, file: string): void {
  const require = ((request: string): unknown => module.require(request)) as NodeJS.Require;
  require.resolve = ((request: string, options?: object) =>
    loader._resolveFilename(request, module, false, options)) as NodeJS.RequireResolve;
  require.main = runs.mainModule;
  require.cache = loader._cache;
  const wrapped = script.runInThisContext() as (...parts: unknown[]) => void;
  wrapped.call(module.exports, module.exports, require, module, file, dirname(file));
}

/** Whether Node takes the file for CommonJS by its name and by the next package.json. */
function isCommonJs(file: string): boolean {
  if (extname(file) === '.cjs') return true;
  if (extname(file) !== '.js') return false;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = tryTo(() => readFileSync(join(folder, 'package.json'), 'utf8'));
    if (text !== undefined) return (JSON.parse(text) as { type?: string }).type !== 'module';
  }
  return true;
}

function tryTo<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
