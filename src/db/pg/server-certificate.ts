/** When the certificate ends that Postgres shows. */
import type pg from 'pg';
import { endOfPeer, type MaybeTls } from '../../runtime/certificates';

/** What `pg` keeps of a connection, beside what its types say. */
interface Connected {
  connection?: { stream: MaybeTls };
}

/** When the certificate of Postgres ends that a connection of the pool was shown; null without TLS. */
export async function endOfPostgres(pool: pg.Pool): Promise<Date | null> {
  const client = await pool.connect();
  try {
    const { connection } = client as Connected;
    return connection ? endOfPeer(connection.stream) : null;
  } finally {
    client.release();
  }
}
