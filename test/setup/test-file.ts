/**
 * What a test file tells the environment around it (`environment.ts`), so that a failing test can name its cause:
 * the lines that the platform logged, the databases that were made, the Temporal servers that run.
 */

/** Where a shared platform is reached. */
export interface SharedAddresses {
  readonly url: string;
  readonly operatorUrl: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
}

export interface TestFile {
  /** Takes one line of the platform's log; shown when a test fails, forgotten otherwise. */
  logged(line: string): void;
  /** A database was made: it is dropped after a file that passed, and kept after a file that failed. */
  databaseMade(url: string): void;
  /** A failing test shows the workflows there that have not completed. */
  temporalStarted(address: string): void;
  /** The run's platform, started by the first file that asks. */
  sharedPlatform(): Promise<SharedAddresses>;
  /** What is made once for all files of this process, by name. It must not depend on the file that makes it. */
  readonly made: Map<string, unknown>;
}

/** Under this name the environment gives it to the file. */
export const TEST_FILE = 'walletTestFile';

/** @returns null outside Jest, where nothing is collected: the fuzzer and the histories run without it. */
export function testFile(): TestFile | null {
  return (globalThis as { [TEST_FILE]?: TestFile })[TEST_FILE] ?? null;
}

/** Makes something by its first user in this process, for all files; outside Jest it is made anew. */
export function madeOnce<Made>(name: string, make: () => Made): Made {
  const { made } = testFile() ?? { made: new Map<string, unknown>() };
  if (!made.has(name)) made.set(name, make());
  return made.get(name) as Made;
}
