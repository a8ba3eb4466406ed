/** Operators see in one list what waits for a person, in each environment, and what has been decided leaves it. */
import { recordFindings } from '../../../src/db/reconcile/findings';
import { newId } from '../../../src/db/pg/ids';
import { WAITING } from '../../../src/domain/waiting';
import type { Json } from '../../support/api';
import { apiForFile, operatorForFile } from '../../support/scene';
import { LIVE_CELL } from '../../setup/cells';

const { world, api } = apiForFile();
const operator = operatorForFile(api);

const list = async (environment: 'live' | 'sandbox' = 'live'): Promise<Json[]> =>
  (await operator.get(`/ops/${environment}/waiting`)).body.data;
const kinds = async (): Promise<string[]> => (await list()).map(({ kind }) => kind as string);

/** Makes something wait. @returns its id in the list, and what ends it. */
const WAITS: Record<keyof typeof WAITING, () => Promise<[resource: string, end: () => Promise<unknown>]>> = {
  async company() {
    const partnerId = newId();
    const set = (status: string) =>
      world.sql(
        `INSERT INTO ${LIVE_CELL}.compliance_records (partner_id, status) VALUES ($1, $2)
         ON CONFLICT (partner_id) DO UPDATE SET status = excluded.status`,
        [partnerId, status],
      );
    await set('submitted');
    return [partnerId, () => set('approved')];
  },
  async proposal() {
    const live = await api.partner({ environment: 'live', status: 'active' });
    const walletId = await live.wallet();
    const asked = await operator.post(`/ops/live/partners/${live.id}/adjustments`, {
      wallet_id: walletId,
      direction: 'credit',
      amount_kobo: 5,
      reason: 'Complaint 17',
    });
    expect(asked.status).toBe(202);
    const { id } = asked.body.data;
    return [id, () => operator.post(`/ops/proposals/${id}/reject`, { reason: 'Not so' })];
  },
  async credit() {
    const resource = newId();
    const { pool } = api.environments.live;
    await recordFindings(pool, LIVE_CELL, [{ class: 'payment_unallocated', resource, detail: {} }]);
    return [
      resource,
      () =>
        world.sql(`UPDATE ${LIVE_CELL}.recon_findings SET closed_at = now() WHERE resource = $1`, [resource]),
    ];
  },
  async repair() {
    const proposalId = newId();
    await world.sql(
      `WITH found AS (
         INSERT INTO ${LIVE_CELL}.recon_findings (id, class, resource, detail, closed_at)
         VALUES (gen_random_uuid(), 'chain_broken', $1, '{}', now()) RETURNING id)
       INSERT INTO ${LIVE_CELL}.repairs (id, proposal_id, finding_id, partner_id, kind, resource, step, terms, note,
         evidence_ref, proposed_by)
       SELECT gen_random_uuid(), $1::uuid, id, gen_random_uuid(), 'step', gen_random_uuid(), 'accept', '{}', '', '', 'Tunde'
         FROM found`,
      [proposalId],
    );
    return [
      proposalId,
      () =>
        world.sql(
          `UPDATE ${LIVE_CELL}.repairs SET approved_by = 'Ada', approved_at = now() WHERE proposal_id = $1`,
          [proposalId],
        ),
    ];
  },
  async operator() {
    const id = newId();
    await world.sql(
      `INSERT INTO platform.operators (id, name, role, token_hash, token_prefix, expires_at)
       VALUES ($1, $2, 'operator', sha256($2::text::bytea), 'op', now() + interval '1 hour')`,
      [id, `waiting-${id}`],
    );
    return [id, () => operator.post(`/ops/operators/${id}/admit`, { reason: 'Her first day' })];
  },
};

test.each(Object.keys(WAITING) as (keyof typeof WAITING)[])(
  '%s waits in the list of its environment until it is decided',
  async (kind) => {
    expect(await kinds()).not.toContain(kind);
    const [resource, end] = await WAITS[kind]();
    const found = (await list()).filter((one) => one.kind === kind);
    expect(found).toEqual([
      expect.objectContaining({ resource, meaning: WAITING[kind], since: expect.any(String) }),
    ]);
    expect((await list('sandbox')).map((one) => one.resource)).not.toContain(resource);
    await end();
    expect(await kinds()).not.toContain(kind);
  },
);

test('the oldest stands first', async () => {
  const made = [await WAITS.credit(), await WAITS.credit()].map(([resource]) => resource);
  await world.sql(
    `UPDATE ${LIVE_CELL}.recon_findings SET first_seen = now() - interval '1 hour' WHERE resource = $1`,
    [made[1]],
  );
  expect((await list()).map((one) => one.resource)).toEqual(made.toReversed());
});
