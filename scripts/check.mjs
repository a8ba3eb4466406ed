/**
 * `npm run check`: everything that a change must pass. Needs the installed packages, Python and Go with their
 * registries, and nothing else, in any folder, with nothing running. Every step runs even when an earlier one failed;
 * the last line is `N passed, N failed`, tests and steps together.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'wallet-check-'));
const reports = ['tests', 'programs'].map((name) => join(folder, `${name}.json`));
const [ofTests, ofPrograms] = reports.map((report) => ['--', '--json', `--outputFile=${report}`]);

/** These steps only read the sources, so as many run at once as there are processors. The slowest come first. */
const LOOKS = [
  ['format', 'format:check'],
  ['lint', 'lint'],
  ['types', 'typecheck'],
  ['architecture', 'check:arch'],
  ['unused', 'check:unused'],
  ['lock file', 'check:lock'],
];
const BUILD = ['build', 'bench:build'];
/**
 * These steps use the build and mostly wait for programs, so one more runs at once than there are processors. The
 * slowest come first.
 */
const USES = [
  ['tests of the programs', 'test:programs', ...ofPrograms],
  ['faults, in their short form', 'nemesis', '--', '--short'],
  ['rehearsal of live', 'rehearse'],
  ['package of the SDK', 'sdk:package'],
  ['SDK', 'sdk:check'],
  ['openapi.json', 'openapi:check'],
  ['reference pages', 'reference:check'],
];
/**
 * The tests wait for timers an eighth of their time. The others, which nobody judges by their time, come one after the
 * other beside them.
 */
const TESTS = [
  ['tests', 'test', ...ofTests],
  ['benches, in their tiny form', 'bench:run', '--', '--tiny'],
  ['clients in Python and Go', 'clients', '--', 'python', 'go'],
];

/**
 * @returns whether the script passed. `print` gets its output; without `print` the output goes straight to ours.
 */
function npm(args, print) {
  const child = spawn('npm', ['run', '--silent', ...args], {
    cwd: root,
    env: { ...process.env, DO_NOT_TRACK: '1' },
    stdio: print ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0));
  });
}

function conclude(name, passed, startedAt) {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  console.log(passed ? `    ${seconds} s` : `!!! ${name} failed after ${seconds} s`);
  return passed;
}

/** Shows the output when the step has ended, because others run at the same time. */
async function look([name, ...args]) {
  const startedAt = Date.now();
  let words = '';
  const passed = await npm(args, (text) => (words += text));
  console.log(`\n--- ${name}\n${words.trimEnd()}`);
  return conclude(name, passed, startedAt);
}

async function run([name, ...args]) {
  const startedAt = Date.now();
  console.log(`\n--- ${name}`);
  return conclude(name, await npm(args), startedAt);
}

/** Does the work on all items, at most `limit` at a time. */
async function atOnce(limit, items, work) {
  const waiting = [...items];
  const results = [];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await work(next));
  };
  await Promise.all(Array.from({ length: limit }, lane));
  return results;
}

/** A file that does not even load counts as a failed test. */
function countTests(report) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: Math.max(numFailedTests, numFailedTestSuites) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const processors = availableParallelism();
const steps = [
  ...(await atOnce(processors, LOOKS, look)),
  await run(BUILD),
  ...(await atOnce(processors + 1, USES, look)),
  ...(await atOnce(2, TESTS, look)),
];
const counts = reports.map(countTests);
rmSync(folder, { recursive: true, force: true });
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const passed = steps.filter((step) => step).length + sum(counts.map((tests) => tests.passed));
const failed = steps.filter((step) => !step).length + sum(counts.map((tests) => tests.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
