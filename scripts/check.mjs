/**
 * `npm run check`: everything that a change must pass. Needs the installed packages, Python and Go with their
 * registries, and nothing else, in any folder, with nothing running. Every step runs even when an earlier one failed;
 * what failed is shown again at the end, because some readers see only the end of a log. The last line is
 * `N passed, N failed`, tests and steps together.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'wallet-check-'));
const reports = ['tests', 'programs', 'pages'].map((name) => join(folder, `${name}.json`));
/** One process less than by itself: the other lane has programs of its own, and a test that gets no processor for seconds fails. */
const BESIDE_OTHERS = '--maxWorkers=4';
const [ofTests, ofPrograms, ofPages] = reports.map((report) => [
  '--',
  BESIDE_OTHERS,
  '--json',
  `--outputFile=${report}`,
]);

/**
 * These steps only read the sources and build them, so as many run at once as there are processors. The slowest come
 * first.
 */
const LOOKS = [
  ['build', 'bench:build'],
  ['format', 'format:check'],
  ['lint', 'lint'],
  ['types', 'typecheck'],
  ['architecture', 'check:arch'],
  ['unused', 'check:unused'],
  ['lock file', 'check:lock'],
];
/**
 * These steps use the build. The tests wait for timers and programs much of their time, so the steps of the second lane come
 * one after the other beside them; three at a time would squeeze tests that wait for a timer.
 */
const LANES = [
  [
    ['tests of the programs', 'test:programs', ...ofPrograms],
    ['tests', 'test', ...ofTests],
  ],
  [
    ['openapi.json', 'openapi:check'],
    ['reference pages', 'reference:check'],
    ['SDK', 'sdk:check'],
    ['package of the SDK', 'sdk:package'],
    ['pages, carried out', 'test:pages', ...ofPages],
    ['faults, in their short form', 'nemesis', '--', '--short'],
    ['rehearsal of live', 'rehearse'],
    ['clients in Python and Go', 'clients', '--', 'python', 'go'],
    ['benches, in their tiny form', 'bench:run', '--', '--tiny'],
  ],
];

/** @returns whether the script passed. `print` gets its output. */
function npm(args, print) {
  const child = spawn('npm', ['run', '--silent', ...args], {
    cwd: root,
    env: { ...process.env, DO_NOT_TRACK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0));
  });
}

function conclude(name, passed, startedAt) {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  console.log(passed ? `    ${seconds} s` : `!!! ${name} failed after ${seconds} s`);
  return passed;
}

/** Shows the output when the step has ended, because others run at the same time. Gives whether the step passed, and its output. */
async function look([name, ...args]) {
  const startedAt = Date.now();
  let words = '';
  const passed = await npm(args, (text) => (words += text));
  console.log(`\n--- ${name}\n${words.trimEnd()}`);
  return { name, passed: conclude(name, passed, startedAt), words };
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

/** A file that does not even load counts as a failed test. `failures` are the messages of the files in which something failed. */
function countTests(report) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const failures = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, message }) => `${name}\n${message}`);
    return { passed: numPassedTests, failed: Math.max(numFailedTests, numFailedTestSuites), failures };
  } catch {
    return { passed: 0, failed: 1, failures: [`${report} was not written`] };
  }
}

/** The last lines of an output: enough to see the cause, and few enough that the causes of several steps are seen. */
const lastOf = (words) => words.trimEnd().split('\n').slice(-40).join('\n');

const steps = [
  ...(await atOnce(availableParallelism(), LOOKS, look)),
  ...(await Promise.all(LANES.map((lane) => atOnce(1, lane, look)))).flat(),
];
const counts = reports.map(countTests);
rmSync(folder, { recursive: true, force: true });
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const failedSteps = steps.filter((step) => !step.passed);
const passed = steps.length - failedSteps.length + sum(counts.map((tests) => tests.passed));
const failed = failedSteps.length + sum(counts.map((tests) => tests.failed));
for (const message of counts.flatMap((tests) => tests.failures)) console.log(`\n!!! ${message.trimEnd()}`);
for (const { name, words } of failedSteps)
  console.log(`\n!!! ${name} failed; its output ends:\n${lastOf(words)}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
