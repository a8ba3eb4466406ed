/** What operators send and see of the days of providers, and of the entries about our own money. */
import { z } from 'zod';
import { closedBy, isDay } from '../domain/days';
import { TREASURY_ENTRY_KINDS, type TreasuryEntryKind } from '../domain/treasury';
import * as field from './fields';
import { reason, reader } from './operators';

const kobo = z.int().max(Number.MAX_SAFE_INTEGER);

/** An entry that explains a line of a provider's statement. */
export const readTreasuryEntry = reader(
  z
    .object({
      entry: z.enum(TREASURY_ENTRY_KINDS as [TreasuryEntryKind, ...TreasuryEntryKind[]]),
      provider: field.plainText(14),
      line_id: field.plainText(100),
      amount_kobo: kobo.min(1, 'must be at least 1'),
      fee_kobo: field.optional(kobo.min(0, 'must not be below 0')),
      finding_id: field.optional(z.uuid('must be a uuid')),
      note: reason,
    })
    .transform((body) => ({
      entry: body.entry,
      provider: body.provider,
      lineId: body.line_id,
      amountKobo: body.amount_kobo,
      feeKobo: body.fee_kobo ?? 0,
      findingId: body.finding_id ?? null,
      note: body.note,
    })),
);

/** The day of a path, or null where the text is no day. */
export const dayOfPath = (text: string | undefined): string | null =>
  text !== undefined && isDay(text) ? text : null;

/** A day of a provider, with how many of its findings are open. */
export interface ShownDay {
  provider: string;
  day: string;
  openingKobo: number;
  closingKobo: number;
  lines: number;
  booksKobo: number;
  underWayKobo: number;
  receivableKobo: number;
  checkedAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  findings: { open: number; explained: number };
}

export const writeProviderDay = (day: ShownDay) => ({
  provider: day.provider,
  day: day.day,
  opening_kobo: day.openingKobo,
  closing_kobo: day.closingKobo,
  lines: day.lines,
  books_kobo: day.booksKobo,
  under_way_kobo: day.underWayKobo,
  receivable_kobo: day.receivableKobo,
  checked_at: day.checkedAt.toISOString(),
  open_findings: day.findings.open,
  explained_findings: day.findings.explained,
  closed_at: day.closedAt?.toISOString() ?? null,
  /** It should have been closed by now. */
  is_late: day.closedAt === null && closedBy(day.day) < new Date(),
  /** The proposal by which two people closed it. */
  closed_by_proposal: day.closedBy,
});
