/**
 * Dates as banks write them. A date that can be read in two ways needs its format, and one without an offset the name of its
 * zone: neither is guessed, because 05/07/2026 is a day in May for some and in July for others.
 */
import type { Reading } from './words';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = String.raw`(?:[T,\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([AP]\.?M\.?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?`;
/** Formats that nobody reads in two ways. */
const PLAIN = [
  'yyyy-mm-dd',
  'yyyy/mm/dd',
  'dd-Mon-yyyy',
  'dd Mon yyyy',
  'dd/Mon/yyyy',
  'dd-Mon-yy',
  'Mon dd yyyy',
];
const PARTS: Record<string, string> = {
  yyyy: String.raw`(?<year>\d{4})`,
  yy: String.raw`(?<year>\d{2})`,
  mm: String.raw`(?<month>\d{1,2})`,
  Mon: String.raw`(?<month>[A-Za-z]{3,9})\.?`,
  dd: String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`,
};

/** Whether a text is a format of dates: each of day, month and year once. */
export function isDateFormat(format: string): boolean {
  const parts = format.match(/yyyy|yy|mm|Mon|dd/g) ?? [];
  const rest = format.replace(/yyyy|yy|mm|Mon|dd/g, '');
  return (
    parts.length === 3 &&
    new Set(parts.map((part) => part[0]?.toLowerCase())).size === 3 &&
    /^[-/. ,]*$/.test(rest)
  );
}

/** Whether a text names a zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * @returns the moment; or a text that says why there is none, for a person.
 */
export function momentIn(cell: string, { date, zone }: Reading): Date | string {
  const text = cell.trim().replace(/\s+/g, ' ');
  const said = `"${text}"`;
  const formats = date === null ? PLAIN : [date, ...PLAIN.filter((one) => one.startsWith('yyyy-'))];
  for (const format of formats) {
    const found = patternOf(format).exec(text);
    if (!found) continue;
    const [hour, minute, second, fraction, half, offset] = found.slice(-6);
    const local = localTime({ ...found.groups, hour, minute, second, fraction, half });
    if (local === null) return `${said} is no date of the form ${format}`;
    if (offset !== undefined) return new Date(local - offsetMs(offset));
    if (zone === null) return `${said} has no zone. Name it: --zone Africa/Lagos, or "zone" in the map`;
    return inZone(local, zone) ?? `${said} is no time in ${zone}`;
  }
  return date === null
    ? `${said} can be read in more than one way. Name its format: --date dd/mm/yyyy, or "date" in the map`
    : `${said} is no date of the form ${date}`;
}

function patternOf(format: string): RegExp {
  const date = format.replace(/yyyy|yy|mm|Mon|dd|[.]| /g, (part) =>
    part === '.' ? String.raw`\.` : part === ' ' ? String.raw`[ ,]+` : (PARTS[part] ?? ''),
  );
  return new RegExp(`^${date}${TIME}$`, 'i');
}

/** The time on the clock there, as if it were UTC; null for a day or an hour that there is not. */
function localTime(told: Record<string, string | undefined>): number | null {
  const year = Number(told['year']) + (told['year']?.length === 2 ? 2_000 : 0);
  const named = MONTHS.indexOf((told['month'] ?? '').slice(0, 3).toLowerCase()) + 1;
  const month = /^\d/.test(told['month'] ?? '') ? Number(told['month']) : named;
  const day = Number(told['day']);
  let hour = Number(told['hour'] ?? 0);
  const half = told['half']?.toLowerCase()[0];
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  if (half === 'p') hour = (hour % 12) + 12;
  if (half === 'a') hour %= 12;
  const [minute, second] = [Number(told['minute'] ?? 0), Number(told['second'] ?? 0)];
  const ms = Number((told['fraction'] ?? '').padEnd(3, '0').slice(0, 3));
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  const isThere =
    at.getUTCFullYear() === year &&
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return isThere ? at.getTime() : null;
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The moment at which the clocks of a zone show this time; null where they never do. */
function inZone(local: number, zone: string): Date | null {
  const first = local - ahead(local, zone);
  const at = local - ahead(first, zone);
  return at + ahead(at, zone) === local ? new Date(at) : null;
}

/** By how much a zone is ahead of UTC at a moment. */
function ahead(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return offsetMs(name.replace('GMT', '').slice(0, 6));
}
