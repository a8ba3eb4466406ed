/**
 * The kept description of each area's schema, `migrations/schema/*.sql`. The sandbox's schemas stand for both
 * environments: live has the same, without the rights of a sandbox reset.
 */
import { describeSchema } from './catalogue';
import type { Queryable } from '../../src/db/pg/postgres';

const HEADER =
  '-- Made by `npm run schema` out of a migrated database. The reasons are in the migrations.\n\n';

/** What is described, and the word that stands for the schema in the text. */
const AREAS = {
  platform: 'platform',
  directory: 'sandbox_directory',
  cell: 'sandbox_0',
} as const;

/**
 * Describes the areas of a migrated database.
 * @returns the texts of the files, by their paths in the project.
 */
export async function describeAreas(db: Queryable): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [area, schema] of Object.entries(AREAS)) {
    const text = (await describeSchema(db, schema)).replaceAll(new RegExp(`\\b${schema}\\b`, 'g'), area);
    texts[`migrations/schema/${area}.sql`] = HEADER + text;
  }
  return texts;
}
