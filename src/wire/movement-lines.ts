/** The lines in which movements lie outside of the database: one JSON object each (docs/how-to/restore.md). */
import { z } from 'zod';
import type { MovementLine } from '../domain/movements';

const common = {
  cell: z.string().regex(/^[a-z0-9_]+$/),
  transaction_id: z.uuid(),
  partner_id: z.uuid(),
  at: z.iso.datetime(),
};
const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('movement'),
    ...common,
    reference: z.string(),
    type: z.string(),
    status: z.string(),
    amount_kobo: z.int().min(1),
    source_wallet: z.uuid().nullable(),
    dest_wallet: z.uuid().nullable(),
  }),
  z.object({
    kind: z.literal('order'),
    ...common,
    company: z.string(),
    reference: z.string(),
    state: z.string(),
  }),
]);

export function writeMovementLine(line: MovementLine): string {
  const common = {
    kind: line.kind,
    at: line.at.toISOString(),
    cell: line.cell,
    partner_id: line.partnerId,
    transaction_id: line.transactionId,
    reference: line.reference,
  };
  return JSON.stringify(
    line.kind === 'order'
      ? { ...common, company: line.company, state: line.state }
      : {
          ...common,
          type: line.type,
          status: line.status,
          amount_kobo: line.amountKobo,
          source_wallet: line.sourceWalletId,
          dest_wallet: line.destWalletId,
        },
  );
}

/** @returns null for what is no such line. A line of syslog may have its header before the object. */
export function readMovementLine(text: string): MovementLine | null {
  const read = lineSchema.safeParse(objectIn(text));
  if (!read.success) return null;
  const line = read.data;
  const common = {
    cell: line.cell,
    transactionId: line.transaction_id,
    partnerId: line.partner_id,
    at: new Date(line.at),
    reference: line.reference,
  };
  return line.kind === 'order'
    ? { ...common, kind: 'order', company: line.company, state: line.state }
    : {
        ...common,
        kind: 'movement',
        type: line.type,
        status: line.status,
        amountKobo: line.amount_kobo,
        sourceWalletId: line.source_wallet,
        destWalletId: line.dest_wallet,
      };
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(Math.max(0, text.indexOf('{')))) as unknown;
  } catch {
    return undefined;
  }
}
