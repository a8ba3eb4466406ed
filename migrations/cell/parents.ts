/**
 * Invariants: an entry belongs to a transaction, a transaction to wallets that are there, a delivery to an endpoint.
 * They were foreign keys, which look up one row after the other: a third of what Postgres did for a batch of
 * transfers (docs/performance.md). A statement's rows are looked up together instead, and so are the children of
 * what is deleted. A key never changes: only a sandbox's reset deletes parents, a partner's children first, behind
 * its fence.
 */
import type { Knex } from 'knex';

/** A child's columns that name rows of a parent */
export const ENTRIES_OF_TRANSACTION = {
  child: 'entries',
  columns: ['transaction_id'],
  parent: 'transactions',
};
export const WALLETS_OF_TRANSACTION = {
  child: 'transactions',
  columns: ['source_wallet', 'dest_wallet'],
  parent: 'accounts',
};
export const DELIVERIES_TO_ENDPOINT = {
  child: 'deliveries',
  columns: ['endpoint_id'],
  parent: 'webhook_endpoints',
};
const PARENTS = [ENTRIES_OF_TRANSACTION, WALLETS_OF_TRANSACTION, DELIVERIES_TO_ENDPOINT];

/** Refuses a child whose parent is not there. */
export function refuseOrphans(cell: string, { child, columns, parent }: (typeof PARENTS)[number]): string {
  const named = columns.map((column) => `(inserted.${column})`).join(', ');
  return `
      -- Definer: whoever writes a child need not be allowed to read the parent. The settings keep every plan, whenever
      -- it was made, from reading the whole parent.
      CREATE FUNCTION ${cell}.refuse_orphaned_${child}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp
      SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      DECLARE orphan uuid;
      BEGIN
        SELECT missing.id INTO orphan
          FROM (SELECT DISTINCT named.id FROM inserted, LATERAL (VALUES ${named}) AS named(id)) AS missing
         WHERE missing.id IS NOT NULL AND NOT EXISTS (SELECT FROM ${parent} WHERE id = missing.id) LIMIT 1;
        IF FOUND THEN
          RAISE EXCEPTION '${child} names %, which is not in ${parent}', orphan
            USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER ${child}_have_parents AFTER INSERT ON ${cell}.${child}
        REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
        EXECUTE FUNCTION ${cell}.refuse_orphaned_${child}();`;
}

async function up(knex: Knex, cell: string): Promise<void> {
  for (const relation of PARENTS) {
    const { child, columns, parent } = relation;
    await knex.raw(`
      ${columns.map((column) => `ALTER TABLE ${cell}.${child} DROP CONSTRAINT ${child}_${column}_fkey;`).join('\n')}
      ${refuseOrphans(cell, relation)}

      CREATE FUNCTION ${cell}.refuse_orphaning_${child}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp
      SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      DECLARE kept uuid;
      BEGIN
        SELECT id INTO kept FROM deleted
         WHERE ${columns.map((column) => `EXISTS (SELECT FROM ${child} WHERE ${column} = deleted.id)`).join(' OR ')} LIMIT 1;
        IF FOUND THEN
          RAISE EXCEPTION '% of ${parent} is named by ${child}', kept USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER ${parent}_keep_${child} AFTER DELETE ON ${cell}.${parent}
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
        EXECUTE FUNCTION ${cell}.refuse_orphaning_${child}();
      CREATE TRIGGER ${parent}_are_not_emptied BEFORE TRUNCATE ON ${cell}.${parent}
        FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_change();
    `);
  }
}

async function down(knex: Knex, cell: string): Promise<void> {
  for (const { child, columns, parent } of PARENTS) {
    await knex.raw(`
      DROP TRIGGER ${child}_have_parents ON ${cell}.${child};
      DROP TRIGGER ${parent}_keep_${child} ON ${cell}.${parent};
      DROP TRIGGER ${parent}_are_not_emptied ON ${cell}.${parent};
      DROP FUNCTION ${cell}.refuse_orphaned_${child}(), ${cell}.refuse_orphaning_${child}();
      ${columns.map((column) => `ALTER TABLE ${cell}.${child} ADD FOREIGN KEY (${column}) REFERENCES ${cell}.${parent};`).join('\n')}
    `);
  }
}

export const parents = { up, down };
