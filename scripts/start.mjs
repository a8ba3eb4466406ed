/** `npm start` and `npm run demo`: checks Node, builds when the build is of other sources, then runs what was built. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Needs Node 20.19 or newer, found ${process.versions.node}. Run nvm install`);
  process.exit(1);
}

// These are imported here and not above: an import at the top would run, and may fail, before the check.
const { readFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const { buildIfStale, root } = await import('./build-if-stale.mjs');

const isDemo = process.argv.includes('--demo');
const isQuiet = isDemo || process.argv.includes('--help');
// With --json, a program reads the standard output.
const print = process.argv.includes('--json') ? console.error : console.log;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const machine = `node ${process.versions.node} · ${process.platform}-${process.arch}`;
if (!isQuiet) print(`\n  ${`Partner Wallet sandbox ${version}`.padEnd(60)}${machine}`);

const startedAt = Date.now();
const built = buildIfStale(() => (isQuiet ? console.error('  building') : undefined));
const took = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
if (!isQuiet) print(`  ✓ ${'Build'.padEnd(17)}${(built ? 'built' : 'up to date').padEnd(58)}${took}`);

process.argv = process.argv.filter((argument) => argument !== '--demo');
const ofBuild = (file) => import(pathToFileURL(join(root, 'dist', file)).href);
if (!isDemo) (await ofBuild('tools/launcher/pack.js')).usePack('start');
await ofBuild(isDemo ? 'examples/demo/main.js' : 'tools/launcher/start.js');
