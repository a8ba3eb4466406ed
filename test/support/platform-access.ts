/**
 * A running platform as its partners, its operators and the owner of its database reach it.
 */
import { randomUUID } from 'node:crypto';
import { Connection, type Client } from '@temporalio/client';
import pg from 'pg';
import { insertPartner } from '../../src/db/partners/credentials';
import type { OperatorRole } from '../../src/domain/operators';
import { makeKey } from '../../src/operations/partners/keys';
import { SANDBOX_CELL } from '../setup/cells';
import { openCalls, type Calls, type Json } from './calls';
import { valueOf } from './outcomes';
import { openOperatorClient } from './operator-client';
import { openOperator, type TestOperator } from './operators';
import { rowsOf } from './rows';

export interface PlatformAccess {
  readonly databaseUrl: string;
  /** The sandbox's namespace, as an operator sees it. */
  readonly operator: Client;
  /** Runs a statement as the database's owner and gives its rows. */
  sql(text: string, values?: unknown[]): Promise<Record<string, Json>[]>;
  /** A person with a token of the operator port. */
  openOperator(role?: OperatorRole): Promise<TestOperator>;
  /** A new partner with a sandbox key, calling `url`. */
  partner(url: string, cell?: string): Promise<Calls>;
  /** The same partner with a live key. */
  inLive(partner: Calls, url: string): Promise<Calls>;
  /** Closes the connections of this object to the platform. */
  close(): Promise<void>;
}

/** @param operatorUrl gives the URL of the API's operator port when it is needed. */
export function openAccess(
  databaseUrl: string,
  temporalAddress: string,
  operatorUrl: () => string,
): PlatformAccess {
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  // Postgres may end while a failed file still has connections; that error is not reported.
  owner.on('error', () => undefined);
  const connection = Connection.lazy({ address: temporalAddress });
  return {
    databaseUrl,
    operator: openOperatorClient(connection),
    sql: (text, values) => rowsOf(owner, text, values),
    openOperator: (role) => openOperator(operatorUrl(), owner, role),
    async partner(url, cell = SANDBOX_CELL) {
      const id = randomUUID();
      const partner = { id, businessName: 'Acme Fintech', email: `${id}@acme.example` };
      const cells = { sandbox: cell, live: cell.replace('sandbox', 'live') };
      await insertPartner(owner, { ...partner, status: 'registered' }, cells);
      const asked = { partnerId: id, environment: 'sandbox', label: 'test', expiresAt: null } as const;
      return openCalls(id, valueOf(await makeKey(owner, asked)).key, url);
    },
    async inLive({ partnerId }, url) {
      const asked = { partnerId, environment: 'live', label: 'test', expiresAt: null } as const;
      return openCalls(partnerId, valueOf(await makeKey(owner, asked)).key, url);
    },
    async close() {
      await connection.close();
      await owner.end();
    },
  };
}
