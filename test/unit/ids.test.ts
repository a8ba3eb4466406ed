/** The ids of rows, and of requests, which are the same ids written in another way. */
import { newId } from '../../src/db/pg/ids';
import { requestIdOf, uuidOfRequest } from '../../src/domain/request-ids';

test('new ids are uuids of version 7, ascend, and begin with the time', () => {
  const before = Date.now();
  const ids = Array.from({ length: 2_000 }, newId);

  expect(
    ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toEqual([]);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  expect(timeOf(ids[0]!)).toBeGreaterThanOrEqual(before);
  expect(timeOf(ids.at(-1)!)).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('the id of a request is its uuid without dashes, and leads back to it', () => {
  const id = newId();

  expect(requestIdOf(id)).toMatch(/^req_[0-9a-f]{32}$/);
  expect(uuidOfRequest(requestIdOf(id))).toBe(id);
});
