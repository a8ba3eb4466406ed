/**
 * A statement as SWIFT MT940. The format has few fields and changes in 1 of 20 years, and no well-kept reader of it is on npm,
 * so this one is our own: it knows the fields that make a line (60, 61, 86, 62) and refuses a message whose balances its lines
 * do not make.
 */
import type { Kobo } from '../../domain/money';
import { amountIn } from './amounts';
import { momentIn } from './dates';
import {
  FileProblem,
  ourReferenceIn,
  subjectOf,
  wrongAt,
  type ReadFile,
  type ReadLine,
  type Reading,
} from './words';

interface Field {
  tag: string;
  text: string;
  place: number;
}

const COMMA = { unit: 'naira', decimal: ',' } as const;
const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d,]+)$/;
/** Value date, entry date, mark, funds code, amount, type, the customer's reference, and that of the bank. */
const LINE =
  /^(\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2}))?(RC|RD|EC|ED|C|D)([A-Z])?(\d{1,12},\d{0,2})([NSF][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;
const LEAVES = new Set(['D', 'RC', 'ED']);

/** @throws FileProblem that names the line. */
export function readMt940(text: string, reading: Reading): ReadFile {
  const lines: ReadLine[] = [];
  let balance: { kobo: Kobo } | null = null;
  let open = false;
  for (const field of fieldsOf(text)) {
    if (field.tag === '60F' || field.tag === '60M') {
      const opening = balanceIn(field);
      // A statement may go on in the next message, where it ended in the one before.
      if (field.tag === '60M' && balance !== null && balance.kobo !== opening) {
        throw wrongAt(
          field.place,
          'the message does not begin with the balance with which the one before ended',
        );
      }
      [balance, open] = [{ kobo: opening }, true];
    } else if (field.tag === '61') {
      if (balance === null || !open)
        throw wrongAt(field.place, 'a line stands before the opening balance (60F)');
      const line = lineIn(field, reading);
      balance = { kobo: balance.kobo + line.changeKobo };
      lines.push({ ...line, balanceKobo: balance.kobo });
    } else if (field.tag === '86' && lines.length > 0 && open) {
      const line = lines.pop() as ReadLine;
      lines.push(withNarration(line, field.text));
    } else if (field.tag === '62F' || field.tag === '62M') {
      if (balance === null || balance.kobo !== balanceIn(field)) {
        throw wrongAt(
          field.place,
          'the opening balance and the lines do not make the closing balance (62F): the file is not whole',
        );
      }
      open = false;
    }
  }
  if (balance === null) throw new FileProblem('this is no MT940: it has no opening balance (60F)');
  if (open) throw new FileProblem('the closing balance (62F) is missing: the file is not whole');
  return { lines, notes: [] };
}

/** A field begins with its tag; what follows without one goes on with it. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const [, tag, rest] = /^(?:\{[^}]*\})*(?:\{4:)?:(\d{2}[A-Z]?):(.*)$/.exec(line) ?? [];
    const last = fields.at(-1);
    if (tag !== undefined) fields.push({ tag, text: (rest ?? '').trimEnd(), place: at + 1 });
    else if (last && !/^(-\}?|\{.*)?$/.test(line.trim())) last.text += `\n${line.trimEnd()}`;
  }
  return fields;
}

function balanceIn({ text, place }: Field): Kobo {
  const [, mark, , currency, amount] = BALANCE.exec(text.trim()) ?? [];
  const kobo = amountIn(amount ?? '', COMMA);
  if (kobo == null) throw wrongAt(place, `"${text}" is no balance`);
  if (currency !== 'NGN') throw wrongAt(place, `the account is in ${currency ?? ''}, and not in NGN`);
  return mark === 'D' ? -kobo : kobo;
}

function lineIn({ text, place }: Field, reading: Reading): ReadLine {
  const [, year, month, day, entryMonth, entryDay, mark, , amount, , customerRef, bankRef, more] =
    LINE.exec(text) ?? [];
  const kobo = amountIn(amount ?? '', COMMA);
  if (kobo == null || mark === undefined)
    throw wrongAt(place, `"${text.split('\n')[0] ?? ''}" is no line (61) of MT940`);
  // It is booked on the entry date, which has no year: that of the value date, or the one beside it at the turn of the year.
  const value = 2_000 + Number(year);
  const shift = entryMonth === undefined ? 0 : Number(entryMonth) - Number(month);
  const booked = value + (shift > 6 ? -1 : shift < -6 ? 1 : 0);
  const date = `${String(booked)}-${entryMonth ?? month ?? ''}-${entryDay ?? day ?? ''}`;
  const at = momentIn(date, { ...reading, date: null });
  if (typeof at === 'string') throw wrongAt(place, at);
  const reference = ourReferenceIn([customerRef, more, bankRef]) ?? named(customerRef);
  return {
    id: null,
    place,
    at,
    about: subjectOf(reference, 'other'),
    changeKobo: LEAVES.has(mark) ? -kobo : kobo,
    balanceKobo: null,
    reference,
    providerRef: named(bankRef),
    sessionId: null,
  };
}

/** The words of a line may have our reference where its own field is too short for it. */
function withNarration(line: ReadLine, text: string): ReadLine {
  const isOurs = line.about === 'payout';
  // Sub-fields such as ?20 stand within the words.
  const found = isOurs ? null : ourReferenceIn([text.replace(/\n?\?\d{2}|\n/g, '')]);
  return found === null ? line : { ...line, reference: found, about: 'payout' };
}

const named = (text: string | undefined): string | null =>
  text === undefined || /^(NONREF|NOREF|)$/i.test(text.trim()) ? null : text.trim();
