/** The file in which people name the columns of a table: JSON, read strictly, so that no word of it is passed over. */
import { z } from 'zod';
import { LINE_SUBJECTS } from '../../domain/statement-lines';
import type { TableMap } from '../../domain/statement-tables';
import { isDateFormat, isZone } from './dates';
import { FileProblem } from './words';

const column = z.string().trim().min(1).optional();
const schema = z.strictObject({
  columns: z
    .strictObject({
      at: z.string().trim().min(1),
      time: column,
      amount: column,
      credit: column,
      debit: column,
      direction: column,
      balance: column,
      id: column,
      reference: column,
      provider_ref: column,
      session_id: column,
      narration: column,
      about: column,
    })
    .refine(
      ({ amount, credit, debit }) => (amount === undefined) !== (credit === undefined && debit === undefined),
      'needs either amount, or credit and debit',
    )
    .refine(
      ({ amount, direction }) => direction === undefined || amount !== undefined,
      'direction stands beside amount',
    ),
  about: z.record(z.string(), z.enum(LINE_SUBJECTS)).optional(),
  date: z.string().refine(isDateFormat, 'must be a format such as dd/mm/yyyy or dd-Mon-yyyy').optional(),
  zone: z.string().refine(isZone, 'must be the name of a zone, such as Africa/Lagos').optional(),
  unit: z.enum(['naira', 'kobo']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  ignore: z.array(z.string().trim().min(1)).optional(),
});

/** @throws FileProblem with everything that is wrong. */
export function readMap(text: string): TableMap {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FileProblem(`the map is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`);
  throw new FileProblem(`the map: ${wrong.join('; ')}`);
}
