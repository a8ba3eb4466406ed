/**
 * What stands around every test file: it collects what the platform logs while the file runs, adds it to each test
 * that fails, and drops the file's databases afterwards, or keeps them when a test failed. A test that passes prints
 * nothing. Jest loads this once per process and makes one environment per file.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { dropDatabase } from '../../src/db/pg/cluster';
import { onDatabase } from './database';
import { keepDatabase } from './kept';
import { reportOfLog } from './log-report';
import { reportOfTemporal } from './temporal-report';
import { startSharedPlatform, type SharedPlatform } from './shared-platform';
import { TEST_FILE, type TestFile } from './test-file';

/** Of Jest's events, those that are looked at here, as far as they are. */
type TestEvent =
  { name: 'test_start' } | { name: 'test_done'; test: { errors: unknown[] } } | { name: 'run_finish' };
interface RunState {
  unhandledErrors: unknown[];
}

/** The projects whose files may share a platform. */
const SHARING = ['e2e', 'specification'];
/** Of this process. */
let shared: Promise<SharedPlatform> | undefined;
/** Takes what the shared platform logs while a file runs. */
let hear: (line: string) => void = () => undefined;

/**
 * Jest compiles a file's modules for a realm of the file's own, in which `Date` and `Error` are other classes than
 * those of the packages that all files share (`runtime.js`). They are compiled for the realm of the process instead.
 */
const { compileFunction } = vm;
const realms = new WeakSet<object>();
vm.compileFunction = (source, names, options = {}) => {
  const { parsingContext, ...others } = options;
  const isOfAFile = parsingContext !== undefined && realms.has(parsingContext);
  return compileFunction(source, names, isOfAFile ? others : options);
};

export default class FileEnvironment extends TestEnvironment {
  private readonly path: string;
  private readonly mayShare: boolean;
  private readonly lines: string[] = [];
  private readonly databases: string[] = [];
  private readonly temporals = new Set<string>();
  private readonly openedAt = new Date();
  private sharedDatabase: string | undefined;
  private failed = false;
  private explained: unknown;
  private started = false;
  /** Where the lines of the running test begin. */
  private first = 0;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.shareRealm(config.projectConfig);
    this.path = context.testPath;
    this.mayShare = SHARING.includes(String(config.projectConfig.displayName?.name));
    const file: TestFile = {
      logged: (line) => this.lines.push(line),
      databaseMade: (url) => this.databases.push(url),
      temporalStarted: (address) => this.temporals.add(address),
      sharedPlatform: () => this.sharedPlatform(),
    };
    Object.assign(this.global, { [TEST_FILE]: file });
  }

  async handleTestEvent(event: TestEvent, state: RunState): Promise<void> {
    if (event.name === 'test_start') {
      // What was logged before the first test belongs to the hooks, and with it to that test.
      if (this.started) this.first = this.lines.length;
      this.started = true;
    }
    if (event.name === 'test_done' && event.test.errors.length > 0) await this.explain(event.test.errors);
    if (event.name === 'run_finish' && state.unhandledErrors.length > 0) {
      await this.explain(state.unhandledErrors);
    }
  }

  override async setup(): Promise<void> {
    await super.setup();
    // The Schedules of a platform that nobody uses any more take time from the files that come after.
    if (!this.mayShare && shared !== undefined) {
      const ending = shared;
      shared = undefined;
      await ending.then((platform) => platform.end());
    }
  }

  override async teardown(): Promise<void> {
    for (const url of this.databases) {
      if (this.failed) keepDatabase({ url, file: this.path });
      else await dropDatabase(onDatabase(url, 'postgres'), new URL(url).pathname.slice(1));
    }
    if (this.failed && this.sharedDatabase !== undefined) {
      keepDatabase({ url: this.sharedDatabase, file: this.path });
    }
    hear = () => undefined;
    await super.teardown();
  }

  /** Jest's own names and the clocks that a test may fake are those of the process from here on. */
  private shareRealm(config: unknown): void {
    if (this.context) realms.add(this.context);
    this.global = globalThis as unknown as typeof this.global;
    const Timers = this.fakeTimersModern?.constructor as new (
      options: object,
    ) => typeof this.fakeTimersModern;
    this.fakeTimersModern = new Timers({ config, global: globalThis });
  }

  private async sharedPlatform(): Promise<SharedPlatform> {
    hear = (line) => this.lines.push(line);
    shared ??= startSharedPlatform((line) => hear(line));
    try {
      const platform = await shared;
      this.sharedDatabase = platform.databaseUrl;
      this.temporals.add(platform.temporalAddress);
      return platform;
    } catch (error) {
      // The next file may have more luck.
      shared = undefined;
      throw error;
    }
  }

  /** Adds one more error to those of a test: Jest shows it below them. */
  private async explain(errors: unknown[]): Promise<void> {
    this.failed = true;
    // A hook that failed fails every test after it with one and the same error.
    const [cause] = [errors[0]].flat();
    if (cause === this.explained) return;
    this.explained = cause;
    const text = await this.report();
    if (text === '') return;
    const error = new Error(text);
    error.stack = text;
    errors.push(error);
  }

  private async report(): Promise<string> {
    const log = reportOfLog(this.lines.slice(this.first));
    this.first = this.lines.length;
    const workflows = await Promise.all(
      [...this.temporals].map((address) => reportOfTemporal(address, this.openedAt)),
    );
    return [
      ...paragraph('The platform logged during this test', log),
      ...paragraph('Workflows that have not completed', workflows.flat()),
      ...paragraph('Kept for you to look at', [
        ...this.databases,
        ...(this.sharedDatabase === undefined ? [] : [this.sharedDatabase]),
      ]),
    ].join('\n');
  }
}

const paragraph = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => line.replace(/^/gm, '  '))];
