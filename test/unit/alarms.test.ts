/**
 * The alarms and the board name metrics that exist, and the runbook has an entry for each alarm. promtool checks the rules
 * and runs their tests too, where it is installed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createMetrics } from '../../src/monitoring/metrics';
import { countIdentityRefusals } from '../../src/monitoring/identity-companies';
import { countKeyRefusals } from '../../src/monitoring/key-refusals';
import { createProbes } from '../../src/monitoring/probes';
import { forEveryWork, whoServes, type IdentityAnswer, type IdentityOrder } from '../../src/providers/port';
import type { Environment } from '../../src/runtime/environment';
import { ALARMS, notRaised, raisedAmong, SDK_METRICS } from '../support/alarms';
import { evaluate, metricsIn, readMetrics } from '../support/prometheus';

const ROOT = join(__dirname, '..', '..');
const runbook = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8');
const board = JSON.parse(readFileSync(join(ROOT, 'deploy', 'grafana', 'board.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

/** The names under which Prometheus knows the metrics of a process, and those of the SDK. */
function known(): Set<string> {
  const metrics = createMetrics();
  createProbes([], metrics, { needsTemporal: false });
  metrics.close();
  const names = [...metrics.registry.getMetricsAsArray().map(({ name }) => name), ...SDK_METRICS];
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
}

test.each(ALARMS.map(({ alert, expr }) => [alert, expr]))(
  '%s asks for metrics that exist',
  (_alert, expr) => {
    const names = known();
    expect(metricsIn(expr).length).toBeGreaterThan(0);
    expect(metricsIn(expr).filter((name) => !names.has(name))).toEqual([]);
    // It is understood as a whole; without any metric only an alarm about their absence is raised.
    evaluate(expr, { before: [], now: [] });
  },
);

test.each(board.panels.map(({ title, targets }) => [title, targets.map(({ expr }) => expr).join(' ')]))(
  'the board shows metrics that exist: %s',
  (_title, expr) => {
    const names = known();
    expect(metricsIn(expr).length).toBeGreaterThan(0);
    expect(metricsIn(expr).filter((name) => !names.has(name))).toEqual([]);
  },
);

test('every metric of our own is on the board or in an alarm', () => {
  const metrics = createMetrics();
  createProbes([], metrics, { needsTemporal: false });
  metrics.close();
  const shown = [...ALARMS.map(({ expr }) => expr), JSON.stringify(board)].join(' ');
  const names = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  expect(names.filter((name) => !shown.includes(name))).toEqual([]);
});

/** The rows of the runbook's table: title, condition, time, who. */
const rows = runbook
  .split('## Findings of reconciliation')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| alert') && !/^\| -/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));

test('the runbook’s table has the same alarms, in the same order and words', () => {
  const ofRules = ALARMS.map(({ expr, labels, annotations, for: duration }) => [
    annotations.summary,
    `\`${expr}\``,
    duration,
    labels.severity.replace('-', ' '),
  ]);
  const ofPage = rows.map(([, title, condition, duration, who]) => [title, condition, duration, who]);
  // The trail of the operators is checked by a command, and not by a metric.
  expect(ofPage.filter(([title]) => title !== 'Operators’ trail' && title !== "Operators' trail")).toEqual(
    ofRules,
  );
});

test.each(ALARMS.map(({ annotations }) => [annotations.summary]))(
  'the runbook says what to do: %s',
  (title) => {
    const entries = [...runbook.matchAll(/^\*\*([^*]+)\.\*\*/gm)].map(([, heads = '']) =>
      heads.split(/, /).map((head) => head.toLowerCase()),
    );
    expect(entries.flat()).toContain(title.toLowerCase());
  },
);

/** The alarms that tests raise by breaking what they watch, as those tests name them. */
const broken = ['api', 'e2e', 'unit'].flatMap((folder) => {
  const source = readFileSync(join(ROOT, 'test', folder, 'alarms.test.ts'), 'utf8');
  return [...source.matchAll(/(?:\b(?:notR|r)aised\(|\braises: )\[([^\]]+)\]/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
});

test('each alarm is raised by a test that breaks something, and no test names an alarm that is gone', () => {
  expect([...new Set(broken)].sort()).toEqual(ALARMS.map(({ alert }) => alert).sort());
});

const PROMETHEUS = join(ROOT, 'deploy', 'prometheus');

interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}
const ruleTests = (
  parse(readFileSync(join(PROMETHEUS, 'rules.test.yml'), 'utf8')) as { tests: RuleTest[] }
).tests.flatMap(({ alert_rule_test: looks }) => looks);

test.each(ALARMS.map(({ alert }) => [alert]))(
  'the tests of the rules raise %s, and not too early',
  (alert) => {
    const looks = ruleTests.filter(({ alertname }) => alertname === alert);
    expect(new Set(looks.map(({ exp_alerts: raised }) => raised.length))).toEqual(new Set([0, 1]));
  },
);

const promtool = (...words: string[]) => spawnSync('promtool', words, { cwd: PROMETHEUS, encoding: 'utf8' });
/** Without promtool these tests count as skipped. */
const withPromtool = promtool('--version').error === undefined ? test : test.skip;

withPromtool.each([
  ['check', 'rules.yml'],
  ['test', 'rules.test.yml'],
])('promtool %s rules %s', (command, file) => {
  const { status, stdout, stderr } = promtool(command, 'rules', file);
  expect(status === 0 ? '' : stdout + stderr).toBe('');
});

test('IdentityCompanyRefusesUs is raised by a look-up that was refused, and by no other answer', async () => {
  const metrics = createMetrics();
  metrics.close();
  let answer: IdentityAnswer = { outcome: 'not_found' };
  const company = {
    name: 'smile',
    can: { failsForGood: false, asksFirst: false },
    identity: { lookUp: () => Promise.resolve(answer) },
  };
  const environment = { providers: whoServes(forEveryWork([company])) } as Environment;
  countIdentityRefusals([environment], metrics);
  const scrape = async () => readMetrics(await metrics.registry.metrics());
  const before = await scrape();
  const lookUp = () => environment.providers.identity[0]!.identity.lookUp({} as IdentityOrder);
  expect(await lookUp()).toEqual(answer);
  expect(raisedAmong(['IdentityCompanyRefusesUs'], await scrape(), before)).toEqual([]);
  answer = { outcome: 'refused', cause: 'float' };
  expect(await lookUp()).toEqual(answer);
  expect(notRaised(['IdentityCompanyRefusesUs'], await scrape(), before)).toEqual([]);
});

test('CompanyRefusesOurKey is raised by an answer that a company does not take our key', async () => {
  const metrics = createMetrics();
  metrics.close();
  const can = { failsForGood: false, asksFirst: false };
  const payouts = { submit: () => Promise.reject(new Error()), query: () => Promise.reject(new Error()) };
  const keyRefusals = new Map<string, number>();
  const providers = whoServes(forEveryWork([{ name: 'paystack', can, payouts }]));
  countKeyRefusals([{ name: 'live', providers, keyRefusals } as unknown as Environment], metrics);
  const scrape = async () => readMetrics(await metrics.registry.metrics());
  const before = await scrape();
  expect(raisedAmong(['CompanyRefusesOurKey'], await scrape(), before)).toEqual([]);
  keyRefusals.set('paystack', 1);
  expect(notRaised(['CompanyRefusesOurKey'], await scrape(), before)).toEqual([]);
});

describe('the evaluator of the tests', () => {
  const text = (value: number): string =>
    [
      '# TYPE some_total counter',
      `some_total{outcome="a"} ${value}`,
      `some_total{outcome="b"} ${value * 3}`,
      'size_bucket{le="1"} 0',
      `size_bucket{le="2"} ${value * 10}`,
      `size_bucket{le="+Inf"} ${value * 10}`,
    ].join('\n');
  const scrapes = { before: readMetrics(text(1)), now: readMetrics(text(2)) };
  const values = (expr: string): number[] => evaluate(expr, scrapes).map(({ value }) => value);

  test.each([
    ['some_total{outcome="a"} > 1', [2]],
    ['some_total{outcome=~"a|b"} > 1', [2, 6]],
    ['some_total{outcome!="a"} == 6', [6]],
    ['sum(increase(some_total[5m]))', [4]],
    ['sum(increase(some_total{outcome="b"}[5m])) / sum(increase(some_total[5m])) > 0.5', [0.75]],
    ['sum(increase(some_total[5m])) > 0 unless sum(increase(some_total{outcome="a"}[5m])) > 0', []],
    ['some_total > 100 or absent(other)', [1]],
    ['absent(some_total)', []],
    ['some_total < 6', [2]],
    ['histogram_quantile(0.5, sum by (le) (increase(size_bucket[5m])))', [1.5]],
  ])('%s', (expr, expected) => {
    expect(values(expr)).toEqual(expected);
  });

  test.each(['some_total + 1', 'avg(some_total)', 'some_total >'])(
    'refuses what it does not know: %s',
    (expr) => {
      expect(() => values(expr)).toThrow();
    },
  );
});
