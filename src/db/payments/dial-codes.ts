/**
 * The directory's dial codes: they lead from what a gateway knows to the partner and the session (R1, D25, D76).
 */
import { assertNotResetting } from '../upkeep/epochs';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

export interface DialledSession {
  partnerId: string;
  sessionId: string;
}

/**
 * How long a code belongs to a session. It is longer than the session's window, so that somebody who dials late is
 * told that the session has ended and does not reach another payment.
 */
const TAKEN_LONGER_MS = 60_000;
const PHONE_SESSIONS_MAX = 5;

/**
 * Takes a code for a session if no other session has it now. To take it again for the same session changes
 * nothing.
 * @returns false if another session has the code: then the caller tries another one.
 * @throws an outage while the partner's sandbox is being reset.
 */
export async function takeDialCode(
  cell: Cell,
  directory: string,
  taken: DialledSession & { code: string; phone: string | null; windowMs: number },
): Promise<boolean> {
  const { rowCount } = await inTransaction(cell.pool, async (trx) => {
    await assertNotResetting(trx, cell.schema, taken.partnerId);
    return trx.query(
      `INSERT INTO ${directory}.dial_codes AS d (code, partner_id, session_id, phone, taken_until)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
     ON CONFLICT (code) DO UPDATE
        SET partner_id = excluded.partner_id, session_id = excluded.session_id, phone = excluded.phone,
            gateway_session = NULL, typed = '', typed_at = NULL, taken_until = excluded.taken_until
      WHERE d.taken_until < now() OR d.session_id = excluded.session_id`,
      [taken.code, taken.partnerId, taken.sessionId, taken.phone, taken.windowMs + TAKEN_LONGER_MS],
    );
  });
  return rowCount === 1;
}

/** Gives back a code that no session uses. */
export async function giveBackDialCode(
  db: Queryable,
  directory: string,
  code: string,
  sessionId: string,
): Promise<void> {
  await db.query(`DELETE FROM ${directory}.dial_codes WHERE code = $1 AND session_id = $2`, [
    code,
    sessionId,
  ]);
}

interface DialCodeRow {
  partner_id: string;
  session_id: string;
}
const toDialled = (row: DialCodeRow): DialledSession => ({
  partnerId: row.partner_id,
  sessionId: row.session_id,
});

/** The session that has this code, with its partner, or null. */
export async function sessionOfCode(
  db: Queryable,
  directory: string,
  code: string,
): Promise<DialledSession | null> {
  const { rows } = await db.query<DialCodeRow>(
    `SELECT partner_id, session_id FROM ${directory}.dial_codes WHERE code = $1`,
    [code],
  );
  return rows[0] ? toDialled(rows[0]) : null;
}

/** The session that a gateway's dialogue was bound to by its first message, or null. */
export async function sessionOfGateway(
  db: Queryable,
  directory: string,
  gatewaySession: string,
): Promise<DialledSession | null> {
  const { rows } = await db.query<DialCodeRow>(
    `SELECT partner_id, session_id FROM ${directory}.dial_codes WHERE gateway_session = $1
      ORDER BY session_id DESC LIMIT 1`,
    [gatewaySession],
  );
  return rows[0] ? toDialled(rows[0]) : null;
}

/** The latest sessions that name this phone and are within their window, newest first. */
export async function sessionsOfPhone(
  db: Queryable,
  directory: string,
  phone: string,
): Promise<DialledSession[]> {
  const { rows } = await db.query<DialCodeRow>(
    `SELECT partner_id, session_id FROM ${directory}.dial_codes WHERE phone = $1 AND taken_until > now()
      ORDER BY session_id DESC LIMIT ${PHONE_SESSIONS_MAX}`,
    [phone],
  );
  return rows.map(toDialled);
}

/**
 * Binds a dialogue to the session it began with, where the gateway does not send the code each time: a newer session
 * of the same phone must not take the PIN that was meant for this one. To bind it again changes nothing.
 * @param typed what was typed with the code already, one mark for each input (`markOf`).
 */
export async function bindGateway(
  db: Queryable,
  directory: string,
  sessionId: string,
  gatewaySession: string,
  typed = '',
): Promise<void> {
  await db.query(
    `UPDATE ${directory}.dial_codes SET gateway_session = $2, typed = $3, typed_at = NULL
      WHERE session_id = $1 AND gateway_session IS DISTINCT FROM $2`,
    [sessionId, gatewaySession, typed],
  );
}

/** So soon nobody answers a screen, so the same mark again is the gateway's repeat. */
const REPEAT_WITHIN_MS = 2_000;
/** Further inputs of a dialogue are not remembered. Nobody needs as many. */
const INPUTS_MAX = 100;

/**
 * Remembers that something was typed in a dialogue, by its mark alone (`markOf`). The same mark within two seconds is a
 * repeat and adds nothing.
 * @returns the marks of the whole dialogue, the new one at the end; null where no session has the dialogue.
 */
export async function addTyped(
  db: Queryable,
  directory: string,
  gatewaySession: string,
  mark: string,
): Promise<string | null> {
  const { rows } = await db.query<{ typed: string }>(
    `UPDATE ${directory}.dial_codes d SET typed_at = CASE WHEN is_repeat THEN d.typed_at ELSE now() END,
            typed = CASE WHEN is_repeat OR length(d.typed) >= ${INPUTS_MAX} THEN d.typed ELSE d.typed || $2 END
       FROM (SELECT code, (right(typed, 1) = $2 AND typed_at > now() - interval '${REPEAT_WITHIN_MS} milliseconds')
                    IS TRUE AS is_repeat
               FROM ${directory}.dial_codes WHERE gateway_session = $1
              ORDER BY session_id DESC LIMIT 1 FOR UPDATE) AS latest
      WHERE d.code = latest.code RETURNING d.typed`,
    [gatewaySession, mark],
  );
  return rows[0]?.typed ?? null;
}
