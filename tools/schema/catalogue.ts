/**
 * The shape of one schema as readable SQL, out of Postgres' own catalogue: what `migrations/schema/` keeps. The order
 * depends on names alone, so two databases of the same shape give the same text.
 */
import { assert } from '../../src/domain/assert';
import type { Queryable } from '../../src/db/pg/postgres';

/** knex's own tables are no part of our shape: how many there are depends on the number of cells. */
const NOT_OURS = '^migrations_of_';

/** One line of the text, with the object that it belongs to. */
interface Line {
  object: string;
  text: string;
}

/**
 * Describes every table, domain, sequence and function of a schema, with constraints, indexes, triggers,
 * policies and grants.
 * @throws an Error where the schema holds a kind of object that is not described here, such as a view: a
 *   description that leaves something out would hide a change of it.
 */
export async function describeSchema(db: Queryable, schema: string): Promise<string> {
  const linesOf = async (query: string): Promise<Line[]> =>
    (await db.query<Line>(query, query.includes('$2') ? [schema, NOT_OURS] : [schema])).rows;

  const unknown = await linesOf(UNKNOWN);
  assert(unknown.length === 0, `the description knows every kind of object: ${unknown[0]?.text ?? ''}`);

  const grants = await linesOf(GRANTS);
  const others = [...(await linesOf(DOMAINS)), ...(await linesOf(SEQUENCES)), ...(await linesOf(FUNCTIONS))];
  const columns = await linesOf(COLUMNS);
  const constraints = await linesOf(CONSTRAINTS);
  const options = await linesOf(OPTIONS);
  const indexes = await linesOf(INDEXES);
  const triggers = await linesOf(TRIGGERS);
  const policies = await linesOf(POLICIES);
  const of = (lines: Line[], object: string): string[] =>
    lines.filter((line) => line.object === object).map((line) => line.text);

  const tables = [...new Set(columns.map((line) => line.object))].map((table) => {
    const [persistence = '', storage = ''] = of(options, table);
    const inside = [...of(columns, table), ...of(constraints, table)].map((text) => `  ${text}`).join(',\n');
    return [
      `CREATE ${persistence}TABLE ${table} (\n${inside}\n)${storage};`,
      ...of(indexes, table),
      ...of(triggers, table),
      ...of(policies, table),
      ...of(grants, table),
    ].join('\n');
  });
  const parts = others.map(({ object, text }) => [text, ...of(grants, object)].join('\n'));
  return `${[of(grants, schema).join('\n'), ...parts, ...tables].filter((part) => part !== '').join('\n\n')}\n`;
}

const OURS = `relnamespace = $1::regnamespace AND relname !~ $2`;
const C = `COLLATE "C"`;

const DOMAINS = `
  SELECT t.oid::regtype::text AS object,
         format('CREATE DOMAIN %s AS %s%s%s%s;', t.oid::regtype, format_type(typbasetype, typtypmod),
           ' DEFAULT ' || typdefault, CASE WHEN typnotnull THEN ' NOT NULL' END,
           (SELECT string_agg(' ' || pg_get_constraintdef(c.oid), '' ORDER BY conname ${C})
              FROM pg_constraint c WHERE contypid = t.oid AND contype = 'c')) AS text
    FROM pg_type t WHERE typnamespace = $1::regnamespace AND typtype = 'd' ORDER BY typname ${C}`;

const SEQUENCES = `
  SELECT c.oid::regclass::text AS object,
         format('CREATE SEQUENCE %s AS %s INCREMENT %s MINVALUE %s MAXVALUE %s START %s CACHE %s %sCYCLE;', c.oid::regclass,
           seqtypid::regtype, seqincrement, seqmin, seqmax, seqstart, seqcache,
           CASE WHEN NOT seqcycle THEN 'NO ' END) AS text
    FROM pg_sequence JOIN pg_class c ON c.oid = seqrelid WHERE ${OURS} ORDER BY relname ${C}`;

const COLUMNS = `
  SELECT c.oid::regclass::text AS object,
         format('%I %s%s%s%s%s', attname, format_type(atttypid, atttypmod),
           CASE WHEN attcollation <> typcollation THEN ' COLLATE ' || attcollation::regcollation END,
           CASE WHEN attgenerated <> '' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ')'
                ELSE ' DEFAULT ' || pg_get_expr(adbin, adrelid) END,
           CASE WHEN attidentity <> '' THEN ' GENERATED AS IDENTITY' END,
           CASE WHEN attnotnull THEN ' NOT NULL' END) AS text
    FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid JOIN pg_type t ON t.oid = atttypid
    LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
   WHERE ${OURS} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped ORDER BY relname ${C}, attnum`;

/** Not null stands with the column. */
const CONSTRAINTS = `
  SELECT conrelid::regclass::text AS object, format('CONSTRAINT %I %s', conname, pg_get_constraintdef(o.oid)) AS text
    FROM pg_constraint o JOIN pg_class c ON c.oid = conrelid
   WHERE ${OURS} AND contype NOT IN ('n', 't')
   ORDER BY position(contype::text IN 'pufxc'), conname ${C}`;

const OPTIONS = `
  SELECT c.oid::regclass::text AS object, text
    FROM pg_class c, LATERAL (VALUES
      (1, CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END),
      (2, coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', ''))) AS option(place, text)
   WHERE ${OURS} AND relkind = 'r' ORDER BY relname ${C}, place`;

/** Those of a constraint stand with it. */
const INDEXES = `
  SELECT indrelid::regclass::text AS object, pg_get_indexdef(indexrelid) || ';' AS text
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid
   WHERE ${OURS} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
   ORDER BY relname ${C}`;

const TRIGGERS = `
  SELECT tgrelid::regclass::text AS object, pg_get_triggerdef(t.oid) || ';' || CASE WHEN tgenabled <> 'O'
           THEN ' -- fires as ' || tgenabled::text ELSE '' END AS text
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
   WHERE ${OURS} AND NOT tgisinternal ORDER BY tgname ${C}`;

const POLICIES = `
  SELECT object, text FROM (
    SELECT c.oid::regclass::text AS object, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY;%s', c.oid::regclass,
             CASE WHEN relforcerowsecurity THEN ' -- for its owner, too' END) AS text, '' AS name
      FROM pg_class c WHERE ${OURS} AND relrowsecurity
    UNION ALL
    SELECT c.oid::regclass::text, format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s;', policyname, c.oid::regclass,
             permissive, cmd, array_to_string(roles, ', '), ' USING (' || qual || ')',
             ' WITH CHECK (' || with_check || ')'), policyname::text
      FROM pg_policies p JOIN pg_class c ON c.oid = format('%I.%I', p.schemaname, p.tablename)::regclass
     WHERE ${OURS}) AS lines
   ORDER BY object ${C}, name ${C}`;

const FUNCTIONS = `
  SELECT oid::regprocedure::text AS object, rtrim(pg_get_functiondef(oid), E'\\n') || ';' AS text
    FROM pg_proc WHERE pronamespace = $1::regnamespace ORDER BY oid::regprocedure::text ${C}`;

/** What others than the owner may do. Everybody's usual right to a function or a type is left out, its lack is not. */
const GRANTS = `
  WITH objects AS (
    SELECT nspname::text AS object, 'SCHEMA ' AS kind, nspowner AS owner, '' AS columns, nspacl AS acl
      FROM pg_namespace WHERE oid = $1::regnamespace
    UNION ALL
    SELECT oid::regclass::text, CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END, relowner, '', relacl
      FROM pg_class WHERE ${OURS} AND relkind IN ('r', 'S')
    UNION ALL
    SELECT c.oid::regclass::text, '', relowner, quote_ident(attname), attacl
      FROM pg_class c JOIN pg_attribute ON attrelid = c.oid WHERE ${OURS}
    UNION ALL
    SELECT oid::regprocedure::text, 'FUNCTION ', proowner, '', proacl FROM pg_proc WHERE pronamespace = $1::regnamespace
    UNION ALL
    SELECT oid::regtype::text, 'TYPE ', typowner, '', typacl
      FROM pg_type WHERE typnamespace = $1::regnamespace AND typtype = 'd'
  ), granted AS (
    SELECT object, kind, grantee, is_grantable,
           privilege_type || coalesce(' (' || nullif(string_agg(columns, ', ' ORDER BY columns ${C}), '') || ')', '')
             AS privilege
      FROM objects, aclexplode(acl) WHERE grantee <> owner AND NOT (grantee = 0 AND kind IN ('FUNCTION ', 'TYPE '))
     GROUP BY object, kind, grantee, is_grantable, privilege_type, columns = ''
  )
  SELECT * FROM (SELECT object, format('REVOKE ALL ON %s%s FROM PUBLIC;', kind, object) AS text FROM objects
   WHERE kind IN ('FUNCTION ', 'TYPE ') AND acl IS NOT NULL AND NOT EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0)
  UNION ALL
  SELECT object, format('GRANT %s ON %s%s TO %s%s;', string_agg(privilege, ', ' ORDER BY privilege ${C}), kind, object,
           CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
           CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
    FROM granted GROUP BY object, kind, grantee, is_grantable) AS lines
   ORDER BY object ${C}, text ${C}`;

/** Kinds of objects that no query above describes. */
const UNKNOWN = `
  SELECT '' AS object, 'relation ' || oid::regclass AS text FROM pg_class
   WHERE ${OURS} AND relkind NOT IN ('r', 'i', 'S')
  UNION ALL SELECT '', 'type ' || oid::regtype FROM pg_type
   WHERE typnamespace = $1::regnamespace AND typtype <> 'd' AND typrelid = 0 AND typelem = 0
  UNION ALL SELECT '', 'rule ' || rulename FROM pg_rewrite JOIN pg_class c ON c.oid = ev_class WHERE ${OURS}
  UNION ALL SELECT '', 'statistics ' || stxname FROM pg_statistic_ext WHERE stxnamespace = $1::regnamespace`;
