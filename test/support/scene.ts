/**
 * What most test files of the application need, opened before their first test and closed after their last. Each
 * function is called once, at the head of a file; its result can be used from `beforeAll` on.
 */
import type { Environment } from '../../src/runtime/environment';
import { SANDBOX_CELL } from '../setup/cells';
import { openActivities, type TestActivities } from './activities';
import { openWorld, type TestApi, type World } from './api';
import { auditCell } from './audit';
import { openTestCell, type TestCell } from './cell';
import type { TestOperator } from './operators';
import type { PartnerOptions, TestPartner } from './partners';

/** A world of the file's own with one application; `settings` are environment variables. */
export function apiForFile(settings: Record<string, string> = {}): { world: World; api: TestApi } {
  let world: World | undefined;
  let api: TestApi | undefined;
  beforeAll(async () => {
    world = await openWorld();
    api = await world.startApi(settings);
  });
  afterAll(() => world?.close());
  return { world: later(() => world), api: later(() => api) };
}

export function partnerForFile(api: TestApi, options?: PartnerOptions): TestPartner {
  let partner: TestPartner | undefined;
  beforeAll(async () => {
    partner = await api.partner(options);
  });
  return later(() => partner);
}

export function operatorForFile(api: TestApi): TestOperator {
  let operator: TestOperator | undefined;
  beforeAll(async () => {
    operator = await api.operator();
  });
  return later(() => operator);
}

/**
 * A database of the file's own with the activities on it. After the last test the books are audited.
 * @param of.audited the cell whose books they are. @param of.change puts a fake of a company in the sandbox's place.
 */
export function activitiesForFile(
  of: { audited?: string; change?: (environment: Environment) => Environment } = {},
): { cell: TestCell; activities: TestActivities } {
  let cell: TestCell | undefined;
  let activities: TestActivities | undefined;
  beforeAll(async () => {
    cell = await openTestCell();
    activities = openActivities(cell.url, {}, of.change);
  });
  afterAll(async () => {
    if (cell) expect(await auditCell(cell.url, of.audited ?? SANDBOX_CELL)).toEqual([]);
    await activities?.close();
    await cell?.close();
  });
  return { cell: later(() => cell), activities: later(() => activities) };
}

/** Stands for an object that is opened later, so that a file can name it in a `const`. */
function later<Opened extends object>(opened: () => Opened | undefined): Opened {
  return new Proxy({} as Opened, {
    get(_target, name: keyof Opened & string) {
      const now = opened();
      if (now === undefined) throw new Error(`${name} is used before the file's beforeAll`);
      return now[name];
    },
  });
}
