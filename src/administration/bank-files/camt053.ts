/** A statement as ISO 20022 camt.053, in whichever version. Only what is booked counts, and the balances must fit the lines. */
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { Kobo } from '../../domain/money';
import { amountIn } from './amounts';
import { momentIn } from './dates';
import { FileProblem, ourReferenceIn, subjectOf, type ReadFile, type ReadLine, type Reading } from './words';

const POINT = { unit: 'naira', decimal: '.' } as const;
const LISTS = new Set(['Stmt', 'Ntry', 'Bal', 'TxDtls', 'NtryDtls', 'Ustrd']);
const text = z.string().trim();
const amount = z.object({ '#text': text, '@_Ccy': text });
const moment = z.object({ Dt: text.optional(), DtTm: text.optional() });
const details = z.object({
  Refs: z
    .object({ EndToEndId: text, InstrId: text, TxId: text, AcctSvcrRef: text, MsgId: text })
    .partial()
    .optional(),
  Amt: amount.optional(),
  AmtDtls: z.object({ TxAmt: z.object({ Amt: amount }) }).optional(),
  RmtInf: z.object({ Ustrd: z.array(text) }).optional(),
  AddtlTxInf: text.optional(),
});
const entry = z.object({
  NtryRef: text.optional(),
  Amt: amount,
  CdtDbtInd: z.enum(['CRDT', 'DBIT']),
  // The newer versions say it in an element of its own.
  Sts: text.or(z.object({ Cd: text }).transform(({ Cd }) => Cd)),
  BookgDt: moment.optional(),
  ValDt: moment.optional(),
  AcctSvcrRef: text.optional(),
  NtryDtls: z.array(z.object({ TxDtls: z.array(details).optional() }).or(z.literal(''))).optional(),
  AddtlNtryInf: text.optional(),
});
const balance = z.object({
  Tp: z.object({ CdOrPrtry: z.object({ Cd: text }).partial() }),
  Amt: amount,
  CdtDbtInd: z.enum(['CRDT', 'DBIT']),
});
const schema = z.object({
  Document: z.object({
    BkToCstmrStmt: z.object({
      Stmt: z.array(z.object({ Bal: z.array(balance).optional(), Ntry: z.array(entry).optional() })),
    }),
  }),
});
type Entry = z.infer<typeof entry>;
type Details = z.infer<typeof details>;

/** @throws FileProblem that names the entry. */
export function readCamt053(file: string, reading: Reading): ReadFile {
  const parser = new XMLParser({
    ignoreAttributes: false,
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    isArray: (name) => LISTS.has(name),
  });
  if (/<!DOCTYPE/i.test(file)) throw new FileProblem('a statement has no DOCTYPE: this is no camt.053');
  let read: z.ZodSafeParseResult<z.infer<typeof schema>>;
  try {
    read = schema.safeParse(parser.parse(file, true));
  } catch (error) {
    throw new FileProblem(`this is no XML: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!read.success) {
    const [problem] = read.error.issues;
    throw new FileProblem(`this is no camt.053: ${problem?.path.join('/') ?? ''} ${problem?.message ?? ''}`);
  }
  const notes: string[] = [];
  const lines: ReadLine[] = [];
  for (const statement of read.data.Document.BkToCstmrStmt.Stmt) {
    const [opening, closing] = ['OPBD', 'CLBD'].map((code) =>
      (statement.Bal ?? []).find(({ Tp }) => Tp.CdOrPrtry.Cd === code),
    );
    let kobo = opening ? signed(opening, 'the opening balance') : null;
    for (const [at, one] of (statement.Ntry ?? []).entries()) {
      const where = `entry ${String(at + 1)}`;
      if (one.Sts !== 'BOOK') {
        notes.push(`${where} is not booked (${one.Sts})`);
        continue;
      }
      for (const line of linesIn(one, where, lines.length + 1, reading)) {
        if (kobo !== null) kobo += line.changeKobo;
        lines.push({ ...line, balanceKobo: kobo });
      }
    }
    if (kobo !== null && closing && kobo !== signed(closing, 'the closing balance')) {
      throw new FileProblem(
        'the opening balance and the entries do not make the closing balance: the file is not whole',
      );
    }
  }
  return { lines, notes };
}

function signed({ Amt, CdtDbtInd }: Pick<Entry, 'Amt' | 'CdtDbtInd'>, where: string): Kobo {
  if (Amt['@_Ccy'] !== 'NGN') throw new FileProblem(`${where} is in ${Amt['@_Ccy']}, and not in NGN`);
  const kobo = amountIn(Amt['#text'], POINT);
  if (kobo == null || kobo < 0) throw new FileProblem(`${where} has no amount: "${Amt['#text']}"`);
  return CdtDbtInd === 'DBIT' ? -kobo : kobo;
}

/** One line of an entry; of an entry for several payments one for each, where it says the amount of each. */
function linesIn(one: Entry, where: string, place: number, reading: Reading): ReadLine[] {
  const whole = signed(one, where);
  const date = one.BookgDt ?? one.ValDt;
  const at = momentIn(date?.DtTm ?? date?.Dt ?? '', reading);
  if (typeof at === 'string') throw new FileProblem(`${where}: ${at}`);
  const all = (one.NtryDtls ?? []).flatMap((group) => (group === '' ? [] : (group.TxDtls ?? [])));
  const amounts = all.map((part) => part.Amt ?? part.AmtDtls?.TxAmt.Amt);
  const parts = amounts.map((Amt) => (Amt ? signed({ Amt, CdtDbtInd: one.CdtDbtInd }, where) : null));
  const sum = parts.reduce<number>((total, kobo) => total + (kobo ?? Number.NaN), 0);
  const isSplit = all.length > 1 && sum === whole;
  const read = (part: Details | undefined, changeKobo: Kobo): ReadLine => {
    const refs = part?.Refs ?? {};
    const names = [refs.EndToEndId, refs.InstrId, refs.TxId, refs.MsgId];
    const words = [...(part?.RmtInf?.Ustrd ?? []), part?.AddtlTxInf, one.AddtlNtryInf, one.NtryRef];
    const reference = ourReferenceIn([...names, ...words]) ?? known(refs.EndToEndId);
    return {
      id: null,
      place,
      at,
      about: subjectOf(reference, 'other'),
      changeKobo,
      balanceKobo: null,
      reference,
      providerRef: known(refs.AcctSvcrRef ?? refs.TxId ?? one.AcctSvcrRef),
      sessionId: null,
    };
  };
  return isSplit
    ? all.map((part, at) => read(part, parts[at] ?? 0))
    : [read(all.length === 1 ? all[0] : undefined, whole)];
}

const known = (text: string | undefined): string | null =>
  text === undefined || /^(NOTPROVIDED|)$/i.test(text) ? null : text;
