/**
 * What stands around every test file: it collects what the platform logs while the file runs, adds it to each test
 * that fails, and drops the file's databases afterwards, or keeps them when a test failed. A test that passes prints
 * nothing. Jest loads this once per process and makes one environment per file.
 */
import asyncHooks from 'node:async_hooks';
import vm from 'node:vm';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { dropDatabase } from '../../src/db/pg/cluster';
import { onDatabase } from './database';
import { keepDatabase } from './kept';
import { reportOfLog } from './log-report';
import { reportOfTemporal } from './temporal-report';
import { holdSharedPlatform, linesOfSharedPlatform, releaseSharedPlatform } from './shared-platform';
import { TEST_FILE, type SharedAddresses, type TestFile } from './test-file';

/** What is looked at of Jest's events. */
interface TestEvent {
  name: string;
  test?: { errors: unknown[] };
}
interface RunState {
  unhandledErrors: unknown[];
}

/** The projects whose files may share a platform. */
const SHARING = ['e2e', 'specification'];
/** The symbols under which Jest keeps the tests of a file and who hears of them. */
const JEST_STATE = /EVENT_HANDLERS|JEST_STATE_SYMBOL/;
const made = new Map<string, unknown>();
/** Whether this process holds the run's platform. */
let holds = false;

/**
 * Jest compiles a file's modules for a realm of the file's own, in which `Date` and `Error` are other classes than
 * those of the packages that all files share (`runtime.js`). They are compiled for the realm of the process instead.
 */
const REALM = vm.createContext();
const { compileFunction } = vm;
vm.compileFunction = (source, names, options = {}) => {
  const { parsingContext, ...others } = options;
  return compileFunction(source, names, parsingContext === REALM ? others : options);
};

/**
 * The contexts of Jest's framework, which is loaded anew for every file. Before Node 24 each context that was used once
 * costs a little at every promise of the process, until it is switched off.
 */
const contexts = new Set<asyncHooks.AsyncLocalStorage<unknown>>();
const { AsyncLocalStorage } = asyncHooks;
asyncHooks.AsyncLocalStorage = class<Store> extends AsyncLocalStorage<Store> {
  constructor() {
    super();
    if (new Error().stack?.includes('jest-circus')) contexts.add(this);
  }
};

export default class FileEnvironment implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker = new ModuleMocker(globalThis);
  private readonly before = stateOfProcess();
  private readonly path: string;
  private readonly mayShare: boolean;
  private readonly lines: string[] = [];
  private readonly databases: string[] = [];
  private readonly temporals = new Set<string>();
  private readonly openedAt = new Date();
  private shared: SharedAddresses | undefined;
  private failed = false;
  private explained: unknown;
  private started = false;
  /** Where the lines of the running test begin. */
  private first = 0;
  /** When it began. */
  private firstMs = Date.now();

  constructor({ projectConfig }: JestEnvironmentConfig, context: EnvironmentContext) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.path = context.testPath;
    this.mayShare = SHARING.includes(String(projectConfig.displayName?.name));
    const file: TestFile = {
      logged: (line) => this.lines.push(line),
      databaseMade: (url) => this.databases.push(url),
      temporalStarted: (address) => this.temporals.add(address),
      sharedPlatform: () => this.sharedPlatform(),
      made,
    };
    Object.assign(this.global, { [TEST_FILE]: file });
  }

  getVmContext(): vm.Context {
    return REALM;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  async handleTestEvent(event: TestEvent, state: RunState): Promise<void> {
    if (event.name === 'test_start') {
      // What was logged before the first test belongs to the hooks, and with it to that test.
      if (this.started) this.skipLines();
      this.started = true;
    }
    if (event.name === 'test_done' && event.test?.errors.length) await this.explain(event.test.errors);
    if (event.name === 'run_finish' && state.unhandledErrors.length > 0) {
      await this.explain(state.unhandledErrors);
    }
  }

  async setup(): Promise<void> {
    // The Schedules of a platform that nobody uses any more take time from the files that come after.
    if (!this.mayShare && holds) {
      holds = false;
      await releaseSharedPlatform();
    }
  }

  async teardown(): Promise<void> {
    for (const url of this.databases) {
      if (this.failed) keepDatabase({ url, file: this.path });
      else await dropDatabase(onDatabase(url, 'postgres'), new URL(url).pathname.slice(1));
    }
    if (this.failed && this.shared !== undefined) {
      keepDatabase({ url: this.shared.databaseUrl, file: this.path });
    }
    this.fakeTimersModern.dispose();
    this.before.restore();
  }

  private async sharedPlatform(): Promise<SharedAddresses> {
    holds = true;
    this.shared ??= await holdSharedPlatform();
    this.temporals.add(this.shared.temporalAddress);
    return this.shared;
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

  private skipLines(): void {
    this.first = this.lines.length;
    this.firstMs = Date.now();
  }

  private async report(): Promise<string> {
    const shared = this.shared === undefined ? [] : await linesOfSharedPlatform(this.firstMs);
    const log = reportOfLog([...this.lines.slice(this.first), ...shared]);
    this.skipLines();
    const workflows = await Promise.all(
      [...this.temporals].map((address) => reportOfTemporal(address, this.openedAt)),
    );
    return [
      ...paragraph('The platform logged during this test', log),
      ...paragraph('Workflows that have not completed', workflows.flat()),
      ...paragraph('Kept for you to look at', [
        ...this.databases,
        ...(this.shared === undefined ? [] : [this.shared.databaseUrl]),
      ]),
    ].join('\n');
  }
}

/**
 * What a file and Jest leave in the process: without `restore` each file would keep its modules in memory, and hear
 * of the tests of all later files.
 */
function stateOfProcess(): { restore: () => void } {
  const env = { ...process.env };
  const { exit } = process;
  return {
    restore: () => {
      for (const name of Object.keys(process.env)) {
        if (!(name in env)) Reflect.deleteProperty(process.env, name);
      }
      Object.assign(process.env, env);
      process.exit = exit;
      for (const context of contexts) context.disable();
      contexts.clear();
      for (const name of Object.getOwnPropertySymbols(globalThis)) {
        if (JEST_STATE.test(String(name))) Reflect.deleteProperty(globalThis, name);
      }
    },
  };
}

const paragraph = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => line.replace(/^/gm, '  '))];
