/** The steps of `kyb/{partner id}`: read the record, apply a request to it, let the partner's status follow. */
import {
  PARTNER_FOLLOWS,
  stepsOf,
  type ComplianceRecord,
  type ComplianceStatus,
  type ComplianceStep,
} from '../domain/compliance';
import { isRowId, NOT_ORDERED } from '../domain/hand-orders';
import type { Intention } from '../domain/intentions';
import type { Refusal } from '../domain/refusals';
import {
  applyComplianceRequest,
  listDirectors,
  findCompliance,
  followMoves,
  movesToFollow,
} from '../db/partners/compliance';
import { operatorName } from '../db/partners/operators';
import { followMove } from '../db/partners/partner-status';
import type { Queryable } from '../db/pg/postgres';
import { insertVerification } from '../db/partners/verifications';
import type { OpenCell } from '../runtime/environment';
import { newVerification } from '../operations/identity/new-verification';
import { directorNumberPlace } from '../secrets/sealing';
import type { KybProgressionInput } from '../contract/messages';
import type { Dependencies } from './dependencies';

/**
 * What the workflow knows of a record: enough to refuse early and to show its state. It holds nothing that was
 * submitted.
 */
export interface SeenCompliance {
  status: ComplianceStatus;
  steps: Record<ComplianceStep, boolean>;
  /** The name of the operator, or `sandbox`. */
  reviewer: string | null;
  moves: number;
  /** True if the record has moves that the partner's own status must still follow (D37, D90). */
  partnerFollows: boolean;
}

export function complianceActivities({ environment, config }: Dependencies) {
  async function seen(cell: OpenCell, record: ComplianceRecord): Promise<SeenCompliance> {
    const { partnerId, status, reviewer, moves } = record;
    const { pool, schema } = cell;
    const ahead = environment.requiresActivePartner ? await movesToFollow(pool, schema, partnerId) : [];
    const partnerFollows = ahead.some(({ trigger }) => trigger in PARTNER_FOLLOWS);
    const name = reviewer && ((await operatorName(environment.partnersPool, reviewer)) ?? reviewer);
    return { status, steps: stepsOf(record), reviewer: name, moves, partnerFollows };
  }

  /** Each BVN of a new set of directors is verified, under the director's name (D89). */
  async function verify(
    trx: Queryable,
    cell: OpenCell,
    partnerId: string,
    setId: string,
  ): Promise<Intention[]> {
    const intentions: Intention[] = [];
    for (const { id: directorId, fullName, bvnSealed } of await listDirectors(trx, cell.schema, setId)) {
      if (bvnSealed === null) continue;
      const asked = newVerification(
        environment,
        {
          subject: 'director',
          partnerId,
          userRef: null,
          directorId,
          type: 'bvn',
          number: environment.sealing.open(bvnSealed, directorNumberPlace(partnerId, directorId, 'bvn')),
          expectedName: fullName,
        },
        config.KYC_GIVE_UP_AFTER_MS,
      );
      await insertVerification(trx, cell.schema, asked);
      intentions.push(asked.intention);
    }
    return intentions;
  }

  return {
    async readCompliance({ partnerId }: KybProgressionInput): Promise<SeenCompliance> {
      const { cell } = await environment.partner(partnerId);
      return seen(cell, await findCompliance(cell, partnerId));
    },

    /**
     * One commit; a second run finds the request's move and makes no other. Nothing but the row of the request says
     * what is done.
     */
    async applyComplianceRequest(
      { partnerId }: KybProgressionInput,
      requestId: string,
    ): Promise<{ seen: SeenCompliance } | { refusal: Refusal }> {
      const { cell } = await environment.partner(partnerId);
      if (!isRowId(requestId)) return NOT_ORDERED;
      const intentions: Intention[] = [];
      const applied = await applyComplianceRequest(cell, partnerId, requestId, async (trx, { ask }) => {
        if (ask.kind === 'directors') intentions.push(...(await verify(trx, cell, partnerId, requestId)));
      });
      environment.relay.afterCommit(cell, { intentions, endpointIds: [] });
      return applied.ok ? { seen: await seen(cell, applied.value) } : { refusal: applied.refusal };
    },

    /** Makes the partner's own status follow the moves of its live record, which the cell has committed (R19). */
    async followCompliance({ partnerId }: KybProgressionInput): Promise<void> {
      // The sandbox's record moves nothing outside the sandbox, whoever calls this.
      const { statusPool } = environment;
      if (!environment.requiresActivePartner || !statusPool) return;
      const { cell } = await environment.partner(partnerId);
      await followMoves(cell, partnerId, async ({ trigger, sequence }) => {
        const partnerTrigger = PARTNER_FOLLOWS[trigger];
        if (partnerTrigger) await followMove(statusPool, partnerId, partnerTrigger, sequence);
      });
    },
  };
}
