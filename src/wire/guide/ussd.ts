/**
 * A started USSD payment in the guide's form: its fields are there twice, without an envelope and in one (D69).
 */
import { z } from 'zod';
import { nairaText } from '../../domain/money';
import type { UssdSession } from '../../domain/ussd';
import { kobo, meta, naira } from '../answers';
import { ussdStarted, ussdStatus, type UssdStarted } from '../ussd-fields';

const fields = z
  .object({ ...ussdStarted.shape, amount_kobo: kobo, amount_naira: naira, status: ussdStatus })
  .meta({ id: 'GuideUssdStarted' });

export const guideUssdStarted = z.object({ ...fields.shape, data: fields, meta });

export function writeGuideUssdStarted(started: UssdStarted, session: UssdSession, requestId: string): object {
  const data = {
    ...started,
    amount_kobo: session.amountKobo,
    amount_naira: nairaText(session.amountKobo),
    status: session.status,
  };
  return { ...data, data, meta: { request_id: requestId } };
}
