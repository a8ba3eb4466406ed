/**
 * Reads what `/metrics` says, and evaluates the expressions of deploy/prometheus/rules.yml on it, with the meaning that they
 * have in Prometheus: comparisons of instant vectors, `and`, `or`, `unless`, quotients, `sum`, `min`, `max` and `count` with or
 * without `by`, `absent`, `histogram_quantile`, and `increase` between an earlier scrape and this one. Anything else is refused.
 */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export const readMetrics = (text: string): Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === '') return [];
    const read = [...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, of]);
    return [{ name, labels: Object.fromEntries(read), value: Number(value) }];
  });

/** What Prometheus adds to a scrape: the names of the process, and that it has answered. */
export const scrapedFrom = (job: string, instance: string, samples: Sample[]): Sample[] => [
  ...samples.map((sample) => ({ ...sample, labels: { ...sample.labels, job, instance } })),
  { name: 'up', labels: { job, instance }, value: samples.length > 0 ? 1 : 0 },
];

/** The names of the metrics in an expression. */
export function metricsIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|by \([^)]*\)|\[\w+\]/g, ' ');
  const names = [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !WORDS.includes(name));
}

/** How the values of a group become one. */
const AGGREGATES: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((total, value) => total + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  count: (values) => values.length,
};

/** The labels that an expression asks of a metric: those of its matchers, and those by which it is put together. */
export function labelsOf(name: string, expression: string): string[] {
  const matchers = [...expression.matchAll(new RegExp(`\\b${name}\\{([^}]*)\\}`, 'g'))];
  const matched = matchers.flatMap(([, text = '']) => [...text.matchAll(/(\w+)(?:=|!)/g)]);
  const by = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, text = '']) => text.split(', '));
  return [...new Set([...matched.map(([, label = '']) => label), ...by])];
}

const WORDS = ['and', 'or', 'unless', ...Object.keys(AGGREGATES)];

/** Stands for the token that is missing at the end. */
const END = 'the end';

type Vector = Sample[];
interface Scrapes {
  before: Sample[];
  now: Sample[];
}

/** @returns what the expression gives: an alarm is raised when that is not empty. */
export function evaluate(expression: string, scrapes: Scrapes): Vector {
  const tokens = expression.match(/"[^"]*"|[\w.]+|=~|!~|!=|==|>|<|=|[(){}[\],/]/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? END;
  const take = (token: string): boolean => tokens[at] === token && at++ >= 0;
  const expect = (token: string): void => {
    if (!take(token))
      throw new Error(`expected ${token} before ${tokens.slice(at).join(' ')} in ${expression}`);
  };

  function whole(): Vector {
    let left = both();
    while (take('or')) {
      const right = both();
      left = [...left, ...right.filter((one) => !left.some((other) => sameLabels(one, other)))];
    }
    return left;
  }

  /** `and` and `unless` bind closer than `or`. */
  function both(): Vector {
    let left = compared();
    for (;;) {
      const isAnd = take('and');
      if (!isAnd && !take('unless')) return left;
      const right = compared();
      left = left.filter((one) => right.some((other) => sameLabels(one, other)) === isAnd);
    }
  }

  function compared(): Vector {
    let left = factor();
    if (take('/')) {
      const right = factor();
      left = left.flatMap((one) =>
        right
          .filter((other) => sameLabels(one, other))
          .map((other) => ({ ...one, value: one.value / other.value })),
      );
    }
    const test = TESTS[tokens[at] ?? ''];
    if (!test) return left;
    at++;
    const limit = Number(next());
    if (Number.isNaN(limit)) throw new Error(`a number is missing in ${expression}`);
    return left.filter(({ value }) => test(value, limit));
  }

  function factor(): Vector {
    const name = next();
    const aggregate = AGGREGATES[name];
    if (aggregate) {
      const by = take('by') ? labelNames() : [];
      const groups = new Map<string, Sample[]>();
      for (const one of inBrackets(whole)) {
        const labels = Object.fromEntries(
          by.flatMap((label) => (one.labels[label] === undefined ? [] : [[label, one.labels[label]]])),
        ) as Record<string, string>;
        const key = JSON.stringify(labels);
        groups.set(key, [...(groups.get(key) ?? []), { ...one, name: '', labels }]);
      }
      return [...groups.values()].map((group) => ({
        name: '',
        labels: group[0]?.labels ?? {},
        value: aggregate(group.map(({ value }) => value)),
      }));
    }
    if (name === 'absent') return inBrackets(whole).length > 0 ? [] : [{ name: '', labels: {}, value: 1 }];
    if (name === 'increase') return inBrackets(() => increase(selector(next(), true)));
    if (name === 'histogram_quantile') {
      expect('(');
      const share = Number(next());
      expect(',');
      const buckets = whole();
      expect(')');
      return quantiles(share, buckets);
    }
    return selector(name, false)(scrapes.now);
  }

  function labelNames(): string[] {
    expect('(');
    const names = [next()];
    while (take(',')) names.push(next());
    expect(')');
    return names;
  }

  function inBrackets(read: () => Vector): Vector {
    expect('(');
    const inner = read();
    expect(')');
    return inner;
  }

  function selector(name: string, ofRange: boolean): (samples: Sample[]) => Vector {
    const conditions: ((sample: Sample) => boolean)[] = [(sample) => sample.name === name];
    if (take('{')) {
      do {
        const [label, operator, text] = [next(), next(), next().slice(1, -1)];
        const matches = MATCHES[operator];
        if (!matches) throw new Error(`unknown matcher ${operator} in ${expression}`);
        conditions.push(({ labels }) => matches(labels[label] ?? '', text));
      } while (take(','));
      expect('}');
    }
    if (ofRange) {
      expect('[');
      next();
      expect(']');
    }
    return (samples) => samples.filter((sample) => conditions.every((holds) => holds(sample)));
  }

  /** What was not there before has no increase: Prometheus needs two samples of a series. */
  function increase(select: (samples: Sample[]) => Vector): Vector {
    const before = select(scrapes.before);
    return select(scrapes.now).flatMap((one) => {
      const earlier = before.find((other) => sameLabels(one, other));
      return earlier ? [{ ...one, value: one.value - earlier.value }] : [];
    });
  }

  const result = whole();
  if (at < tokens.length) throw new Error(`not understood: ${tokens.slice(at).join(' ')} in ${expression}`);
  return result;
}

const TESTS: Record<string, (value: number, limit: number) => boolean> = {
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '==': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
};

const MATCHES: Record<string, (value: string, text: string) => boolean> = {
  '=': (value, text) => value === text,
  '!=': (value, text) => value !== text,
  '=~': (value, text) => new RegExp(`^(?:${text})$`).test(value),
  '!~': (value, text) => !new RegExp(`^(?:${text})$`).test(value),
};

const sameLabels = (one: Sample, other: Sample): boolean =>
  JSON.stringify(Object.entries(one.labels).sort()) === JSON.stringify(Object.entries(other.labels).sort());

/** One value for each group of buckets that differ in `le` alone. */
function quantiles(share: number, buckets: Vector): Vector {
  const groups = new Map<string, Vector>();
  for (const one of buckets) {
    const { le: _le, ...labels } = one.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const { le: _le, ...labels } = group[0]?.labels ?? {};
    return quantile(share, group).map((one) => ({ ...one, labels }));
  });
}

/** Within a bucket the values count as spread evenly. The last bucket gives its lower end. */
function quantile(share: number, buckets: Vector): Vector {
  const sorted = buckets
    .map(({ labels, value }) => ({ le: labels['le'] === '+Inf' ? Infinity : Number(labels['le']), value }))
    .sort((one, other) => one.le - other.le);
  const total = sorted.at(-1)?.value ?? 0;
  if (total === 0) return [];
  const rank = share * total;
  const place = sorted.findIndex(({ value }) => value >= rank);
  const { le: low, value: under } = sorted[place - 1] ?? { le: 0, value: 0 };
  const { le: high, value } = sorted[place] ?? { le: Infinity, value: total };
  const at = high === Infinity ? low : low + ((high - low) * (rank - under)) / (value - under);
  return [{ name: '', labels: {}, value: at }];
}
