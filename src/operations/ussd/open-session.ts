/** Opens a USSD payment: the session exists from its commit on (interface: Payments; D69-D73, D138). */
import { randomInt } from 'node:crypto';
import { present } from '../../domain/assert';
import { refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { UssdSession } from '../../domain/ussd';
import { ussdIntention } from '../../contract/intentions';
import { giveBackDialCode, takeDialCode } from '../../db/payments/dial-codes';
import { findSessionAsTold } from '../../db/payments/ussd-moves';
import { openUssdSession, settlementWalletOf } from '../../db/payments/ussd-sessions';
import { newId } from '../../db/pg/ids';
import type { Config } from '../../runtime/config';
import { UnavailableError } from '../../runtime/unavailable';
import type { UssdRequest } from '../../wire/ussd';
import { notConfigured } from '../not-configured';
import { repeated, replied, type Replied, type Reply } from '../reply';
import type { Tenant } from '../tenant';

/**
 * Writes a session with its pending transaction and has its workflow started. Funds are looked at when the code
 * is dialled, not now (D73).
 * @returns the answer, or refused: SERVICE_UNAVAILABLE without a USSD provider, AMOUNT_TOO_LOW,
 *   SAME_WALLET_TRANSFER, DUPLICATE_REFERENCE, or with a code of the two wallets.
 * @throws UnavailableError when no dial code is free.
 */
export async function openSession(
  { config }: { config: Config },
  tenant: Tenant,
  request: UssdRequest,
  { key, write }: Reply<UssdSession>,
): Promise<Outcome<Replied>> {
  const { environment, cell, partner } = tenant;
  if (!environment.takesUssd) return notConfigured('USSD');
  const early = await refusedAtOnce(tenant, request);
  if (early) return early;
  const { pool, directory } = environment;
  const [sessionId, partnerId] = [newId(), partner.id];
  const windowMs = config.USSD_SESSION_MS;

  // The code is written before the session, so that a session always has its code.
  const { phone } = request;
  const dialCode = await drawCode(tenant, { partnerId, sessionId, phone, windowMs });
  const opened = await openUssdSession(
    cell,
    {
      ...request,
      sessionId,
      transactionId: newId(),
      partnerId,
      merchantName: request.merchantName ?? partner.businessName,
      dialCode,
      windowMs,
      key,
      answer: write,
      intend: (session) => ({ ...ussdIntention(session, environment), requestId: tenant.requestId }),
    },
    config.IDEMPOTENCY_WINDOW_MS,
  );
  if (!opened.ok || opened.value.kind !== 'accepted') {
    await giveBackDialCode(pool, directory, dialCode, sessionId);
  }
  if (!opened.ok) return opened;
  switch (opened.value.kind) {
    case 'accepted': {
      const { session, intention } = opened.value.value;
      environment.relay.afterCommit(cell, { intentions: [intention], endpointIds: [] });
      return replied(write(session));
    }
    case 'same_key':
      return repeated(opened.value.answer);
    case 'same_reference': {
      const first = await findSessionAsTold(cell, partnerId, opened.value.resourceId);
      return repeated(write(present(first, 'the session of a used reference')));
    }
  }
}

/** Refusals that need only the request come after its key and before its reference (D135). */
async function refusedAtOnce({ cell, partner }: Tenant, request: UssdRequest): Promise<Refused | null> {
  const { payerWalletId, merchantWalletId, amountKobo } = request;
  if (amountKobo < 1) return refuse('AMOUNT_TOO_LOW');
  const merchant = merchantWalletId ?? (await settlementWalletOf(cell.pool, cell.schema, partner.id));
  return payerWalletId === merchant ? refuse('SAME_WALLET_TRANSFER') : null;
}

const CODES = 1_000_000;
const DRAWS_MAX = 20;

async function drawCode(
  { cell, environment }: Tenant,
  owner: { partnerId: string; sessionId: string; phone: string | null; windowMs: number },
): Promise<string> {
  for (let drawn = 1; drawn <= DRAWS_MAX; drawn++) {
    const code = String(randomInt(CODES)).padStart(6, '0');
    if (await takeDialCode(cell, environment.directory, { ...owner, code })) return code;
  }
  throw new UnavailableError('no dial code is free');
}
