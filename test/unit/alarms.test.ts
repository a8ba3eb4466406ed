/**
 * The alarms and the board name metrics that exist, and the runbook has an entry for each alarm. promtool checks the rules
 * and runs their tests too, where it is installed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { parse } from 'yaml';
import { readConfig } from '../../src/runtime/config';
import { createMetrics } from '../../src/monitoring/metrics';
import { countIdentityRefusals } from '../../src/monitoring/identity-companies';
import { countKeyRefusals } from '../../src/monitoring/key-refusals';
import { createProbes } from '../../src/monitoring/probes';
import { forEveryWork, whoServes, type IdentityAnswer, type IdentityOrder } from '../../src/providers/port';
import type { Environment } from '../../src/runtime/environment';
import { ALARMS, notRaised, raisedAmong, SDK_METRICS } from '../support/alarms';
import { anchorsIn, headingsIn } from '../support/markdown';
import { TEST_SETTINGS } from '../support/settings';
import { evaluate, metricsIn, readMetrics } from '../support/prometheus';

const ROOT = join(__dirname, '..', '..');
const runbook = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8');
const board = JSON.parse(readFileSync(join(ROOT, 'deploy', 'grafana', 'board.json'), 'utf8')) as {
  templating: { list: { name: string }[] };
  panels: {
    title: string;
    targets: { expr: string }[];
    fieldConfig: {
      defaults: { unit: string; thresholds: { steps: { color: string; value: number | null }[] } };
    };
  }[];
};

/** The names of our own metrics, as an API has them. */
function ourNames(): string[] {
  const metrics = createMetrics();
  const config = readConfig({ ...TEST_SETTINGS, DATABASE_URL: 'postgres://wallet@127.0.0.1:1/wallet' });
  const watch = { config, program: 'api', platform: new pg.Pool() } as const;
  createProbes([], metrics, { needsTemporal: false, watch });
  metrics.close();
  return metrics.registry.getMetricsAsArray().map(({ name }) => name);
}

/** The names under which Prometheus knows the metrics of a process, and those of the SDK. */
function known(): Set<string> {
  const names = [...ourNames(), 'up', ...SDK_METRICS];
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
  const shown = [...ALARMS.map(({ expr }) => expr), JSON.stringify(board)].join(' ');
  const names = ourNames();
  expect(names.filter((name) => !shown.includes(name))).toEqual([]);
});

/** The rows of the runbook's table: title, condition, time, who. */
const rows = runbook
  .split('## Findings of reconciliation')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| alert') && !/^\| -/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));

/** Whom an alarm calls in live. Where it has an environment, the sandbox calls nobody at night. */
const whoIsCalled = (severity: string): string =>
  (severity === NOT_FOR_THE_SANDBOX ? 'call-now' : severity).replace('-', ' ');
const NOT_FOR_THE_SANDBOX = '{{ if eq $labels.environment "sandbox" }}same-day{{ else }}call-now{{ end }}';

test.each(ALARMS.map((alarm) => [alarm.alert, alarm]))(
  '%s says what it saw, in which place, and where to read on',
  (_alert, { expr, labels, annotations }) => {
    expect(['same-day', 'call-now', NOT_FOR_THE_SANDBOX]).toContain(labels.severity);
    // Whatever has an environment calls nobody for the sandbox, and comes once however many processes see it.
    if (expr.includes('environment') && labels.severity !== 'same-day') {
      expect(labels.severity).toBe(NOT_FOR_THE_SANDBOX);
    }
    expect(expr).toMatch(/\b(?:sum|min|max|count)\b/);
    expect(annotations.description).toContain('$value');
    const [, anchor = ''] = annotations.runbook_url.split('docs/runbook.md#');
    const entry = headingsIn(runbook)[anchorsIn(runbook).indexOf(anchor)];
    expect(entry?.title.toLowerCase().split(', ')).toContain(annotations.summary.toLowerCase());
    expect(entry?.body.trim()).not.toBe('');
  },
);

test('an alarm about a share of the traffic needs a minimum of traffic', () => {
  const shares = ALARMS.filter(({ expr }) => /\) \/ sum|histogram_quantile/.test(expr));
  expect(shares.map(({ alert }) => alert)).toEqual(['WebhooksFail', 'FailingRequests', 'SlowMoney']);
  for (const { expr } of shares)
    expect(expr).toMatch(/ and sum by \(environment\) \(increase\(.*\)\) > \d+$/);
});

test('the runbook’s table has the same alarms, in the same order and words', () => {
  const ofRules = ALARMS.map(({ expr, labels, annotations, for: duration }) => [
    annotations.summary,
    `\`${expr}\``,
    duration,
    whoIsCalled(labels.severity),
  ]);
  const ofPage = rows.map(([, title, condition, duration, who]) => [title, condition, duration, who]);
  // The trail of the operators is checked by a command, and not by a metric.
  expect(ofPage.filter(([title]) => title !== 'Operators’ trail' && title !== "Operators' trail")).toEqual(
    ofRules,
  );
});

test('every panel of the board has a unit and thresholds, and the board can be narrowed', () => {
  const variables = board.templating.list.map(({ name }) => name);
  expect(variables).toEqual(['source', 'environment', 'cell', 'job']);
  for (const { title, fieldConfig, targets } of board.panels) {
    const { unit, thresholds } = fieldConfig.defaults;
    expect([title, unit]).toEqual([title, expect.stringMatching(/^\w+$/)]);
    expect([title, thresholds.steps[0]]).toEqual([title, { color: expect.any(String), value: null }]);
    for (const { expr } of targets) {
      const used = [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
      expect(used.filter((name) => !variables.includes(name))).toEqual([]);
    }
  }
  for (const name of variables.slice(1)) expect(JSON.stringify(board.panels)).toContain(`$${name}`);
});

const ALERTMANAGER = join(ROOT, 'deploy', 'alertmanager', 'alertmanager.yml');
const alertmanager = parse(readFileSync(ALERTMANAGER, 'utf8')) as {
  route: { routes: { matchers: string[]; receiver: string }[] };
  receivers: { name: string }[];
  inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[];
};

test('the example of Alertmanager has a way for every severity, and silences only alarms that there are', () => {
  const ways = alertmanager.route.routes.map(({ matchers, receiver }) => [matchers, receiver]);
  expect(ways).toEqual([
    [['severity="call-now"'], 'call-now'],
    [['severity="same-day"'], 'same-day'],
  ]);
  expect(alertmanager.receivers.map(({ name }) => name)).toEqual(['call-now', 'same-day']);
  const names = ALARMS.map(({ alert }) => alert);
  for (const { source_matchers: source, target_matchers: target, equal } of alertmanager.inhibit_rules) {
    const named = [...source, ...target].flatMap(
      (matcher) => /^alertname=~?"([^"]+)"$/.exec(matcher.trim())?.[1]?.split('|') ?? [],
    );
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
    expect(equal.length).toBeGreaterThan(0);
  }
});

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
  ['check', 'rules', 'rules.yml'],
  ['test', 'rules', 'rules.test.yml'],
  ['check', 'config', 'scrape.yml'],
])('promtool %s %s %s', (...words) => {
  const { status, stdout, stderr } = promtool(...words);
  expect(status === 0 ? '' : stdout + stderr).toBe('');
});

const amtool = (...words: string[]) => spawnSync('amtool', words, { encoding: 'utf8' });
/** Without amtool this test counts as skipped. */
const withAmtool = amtool('--version').error === undefined ? test : test.skip;

withAmtool('Alertmanager takes the example', () => {
  const { status, stdout, stderr } = amtool('check-config', ALERTMANAGER);
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
    ['max by (outcome) (some_total) > 1', [2, 6]],
    ['min(some_total)', [2]],
    ['count by (outcome) (some_total == 6)', [1]],
    ['some_total{outcome!~"b|c"}', [2]],
    ['some_total > 1 and some_total > 5', [6]],
    ['some_total > 5 or some_total > 1 and some_total < 3', [6, 2]],
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
