/** The banks that companies have listed, beside our own, and what the newest look at their lists found to differ. */
import type { ListedBank, RememberedBank } from '../../domain/bank-lists';
import type { Queryable } from '../pg/postgres';

/** Every bank that a company has listed, in the order in which they were first listed. */
export async function rememberedBanks(db: Queryable, directory: string): Promise<RememberedBank[]> {
  const { rows } = await db.query<RememberedBank>(
    `SELECT company, code, nip_code AS "nipCode", name FROM ${directory}.listed_banks ORDER BY position`,
  );
  return rows;
}

/**
 * Remembers the banks of a company's list. A bank that is remembered stays as it was first listed, so a second call, or one from
 * another worker at the same time, changes nothing.
 * @returns those that are new, by their codes.
 */
export async function rememberBanks(
  db: Queryable,
  directory: string,
  company: string,
  listed: readonly ListedBank[],
): Promise<string[]> {
  const { rows } = await db.query<{ code: string }>(
    `INSERT INTO ${directory}.listed_banks (company, code, nip_code, name)
     SELECT $1, code, nip_code, name
       FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS one (code, nip_code, name, place)
      ORDER BY place
     ON CONFLICT DO NOTHING RETURNING code`,
    [
      company,
      listed.map(({ code }) => code),
      listed.map(({ nipCode }) => nipCode),
      listed.map(({ name }) => name),
    ],
  );
  return rows.map(({ code }) => code);
}

/** How many banks of a company's list differ from ours, by what differs. */
export interface BanksDiffering {
  codes: number;
  names: number;
  /** Banks that it has listed and lists no more. */
  gone: number;
}

/** Notes what a look has found. The newest look counts; a second note of the same one changes nothing. */
export async function noteBankList(
  db: Queryable,
  directory: string,
  company: string,
  { codes, names, gone }: BanksDiffering,
): Promise<void> {
  await db.query(
    `INSERT INTO ${directory}.bank_lists (company, looked_at, codes, names, gone) VALUES ($1, now(), $2, $3, $4)
     ON CONFLICT (company) DO UPDATE SET looked_at = now(), codes = $2, names = $3, gone = $4`,
    [company, codes, names, gone],
  );
}

/** What the newest look at each company's list has found. */
export async function differingBanks(
  db: Queryable,
  directory: string,
): Promise<({ company: string } & BanksDiffering)[]> {
  const { rows } = await db.query<{ company: string } & BanksDiffering>(
    `SELECT company, codes, names, gone FROM ${directory}.bank_lists ORDER BY company`,
  );
  return rows;
}
