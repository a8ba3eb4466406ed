/** The body of an operation from what was typed. Whatever has two meanings, or two answers, is refused. */
import { readFileSync } from 'node:fs';
import { kobo } from '../sdk/src';
import { camel, dashed, type Schema } from './fields';
import { UsageError } from './usage';

/** The options of an amount, whatever the field of the body is called. */
export const isAmount = (field: string): boolean => field === 'amount' || field === 'amount_kobo';

/**
 * The fields from `--data` and from options of their own.
 * @param values by the names that commander gives to options.
 * @throws UsageError for what is not JSON or no amount, and for a field that is typed twice.
 */
export function bodyOf(
  fields: Record<string, Schema>,
  values: Record<string, string>,
): Record<string, unknown> {
  const { data } = values;
  const body = data === undefined ? {} : readData(data);
  for (const [field, { type }] of Object.entries(fields)) {
    if (isAmount(field)) {
      const amount = amountOf(values);
      if (amount !== undefined) body[field] = amount;
      continue;
    }
    const text = values[camel(field)];
    if (text === undefined) continue;
    const option = `--${dashed(field)}`;
    if (field in body) throw new UsageError(`Say ${field} either in --data or as ${option}`);
    body[field] = valueOf(option, text, type);
  }
  return body;
}

/** In kobo; undefined where no option says it. */
function amountOf({ amount, amountKobo, data }: Record<string, string>): number | undefined {
  if (amount === undefined && amountKobo === undefined) return undefined;
  if (amount !== undefined && amountKobo !== undefined)
    throw new UsageError('Say the amount either in naira as --amount, or in kobo as --amount-kobo');
  if (data !== undefined)
    throw new UsageError('Say the amount either in --data, or as --amount or --amount-kobo without --data');
  if (amount === undefined) return wholeNumber('--amount-kobo', amountKobo ?? '');
  if (!/^\d+(?:\.\d\d)?$/.test(amount))
    throw new UsageError('--amount is in naira, in digits and with no or two decimals, as 1500 or 1500.50');
  try {
    return kobo(amount);
  } catch (error) {
    throw new UsageError(`--amount: ${(error as Error).message}`);
  }
}

/** Digits and nothing else: `1e3`, `0x10` and a blank are no numbers here. @throws UsageError for anything else. */
export function wholeNumber(option: string, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new UsageError(`${option} is a whole number in digits, as 150000`);
  return number;
}

function valueOf(option: string, text: string, type: string | undefined): unknown {
  if (type === 'string') return text;
  return type === 'integer' ? wholeNumber(option, text) : readJson(option, text);
}

function readData(text: string): Record<string, unknown> {
  let json = text;
  if (text.startsWith('@')) {
    try {
      json = readFileSync(text.slice(1), 'utf8');
    } catch (error) {
      throw new UsageError(`--data cannot be read: ${(error as Error).message}`);
    }
  }
  const body = readJson('--data', json);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UsageError('--data is an object, as \'{"user_ref":"ada"}\', or @file with one');
  return body as Record<string, unknown>;
}

/** @throws UsageError for what is not JSON, and for a number that would be sent as another one. */
function readJson(option: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`);
  }
  const withoutTexts = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const lost = /\d{16,}/.exec(withoutTexts)?.[0];
  if (lost !== undefined && !Number.isSafeInteger(Number(lost)))
    throw new UsageError(`${option} has the number ${lost}, which JSON does not keep: write it as text`);
  return value;
}
