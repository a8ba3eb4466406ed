/**
 * Makes every sealed value and every blind index of an environment anew under the newest key, while the platform
 * serves. It may be ended at any time: the next run goes on with what is left.
 */
import { countByPrefix, replaceValue, rowsUnderOtherKeys, type Column } from '../db/upkeep/reseal';
import type { Queryable } from '../db/pg/postgres';
import type { KeyedColumn, Keys } from '../secrets/keyed-columns';

export interface Resealing {
  /** The schemas of an environment's cells, or `platform`. */
  schemas: readonly string[];
  /** The columns that each of these schemas has. */
  columns: readonly KeyedColumn[];
  keys: Keys;
  pageSize: number;
  /** Is told the progress, a sentence each time. */
  tell: (line: string) => void;
}

/** What the values of one key of a column are: none, once the key may be retired. */
export interface UnderKey {
  key: KeyedColumn['key'];
  /** The name of the key, as it stands in its values. */
  name: string;
  values: number;
  isNewest: boolean;
}

/** @returns how many values each key has when it is done; known keys without a value are among them. */
export async function resealAll(
  db: Queryable,
  { schemas, columns, keys, pageSize, tell }: Resealing,
): Promise<UnderKey[]> {
  for (const schema of schemas) {
    for (const keyed of columns)
      await resealColumn(db, { ...keyed, schema }, keyed, { keys, pageSize, tell });
  }
  return countKeys(db, { schemas, columns, keys });
}

async function resealColumn(
  db: Queryable,
  column: Column,
  { prefixes, renew }: KeyedColumn,
  { keys, pageSize, tell }: Pick<Resealing, 'keys' | 'pageSize' | 'tell'>,
): Promise<void> {
  const [newest] = prefixes(keys);
  let done = 0;
  for (let afterId: string | null = null; ;) {
    const page = await rowsUnderOtherKeys(db, column, newest, { afterId, limit: pageSize });
    for (const row of page) {
      const { id = '', [column.column]: from = '' } = row;
      const to = valueOrNull(() => renew(keys, row));
      if (to !== null && (await replaceValue(db, column, { id, from, to }))) done++;
    }
    if (page.length > 0) tell(`${column.schema}.${column.table}.${column.column}: ${String(done)} made anew`);
    if (page.length < pageSize) return;
    afterId = page.at(-1)?.['id'] ?? null;
  }
}

/** A value under a key that is not known stays as it is, and is counted at the end. */
function valueOrNull(make: () => string): string | null {
  try {
    return make();
  } catch {
    return null;
  }
}

async function countKeys(
  db: Queryable,
  { schemas, columns, keys }: Pick<Resealing, 'schemas' | 'columns' | 'keys'>,
): Promise<UnderKey[]> {
  const found = new Map<string, UnderKey>();
  for (const keyed of columns) {
    const { key, prefixes } = keyed;
    const known = prefixes(keys);
    const count = (prefix: string, values: number): void => {
      const so = found.get(key + prefix)?.values ?? 0;
      const name = prefix.split('.').findLast((part) => part !== '') ?? prefix;
      found.set(key + prefix, { key, name, values: so + values, isNewest: prefix === known[0] });
    };
    for (const prefix of known) count(prefix, 0);
    for (const schema of schemas) {
      const counted = await countByPrefix(db, { ...keyed, schema }, known[0].length);
      for (const [prefix, values] of counted) count(prefix, values);
    }
  }
  return [...found.values()];
}
