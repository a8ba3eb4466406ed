/**
 * Files with comma-separated values as people open them in spreadsheets (RFC 4180). All such files that we write are written
 * here. A text never becomes a formula, and what is guarded can be read back as it was.
 */

/** Tells a spreadsheet that the file is in UTF-8; it stands before the first line. */
export const CSV_MARK = '\ufeff';

/** What begins a formula, also in full width, as a small form, and as the minus of mathematics. */
const FORMULA = /[=+@\-\uff1d\uff0b\uff20\uff0d\u2212\ufe62\ufe63\ufe66\ufe6b]/;
/** What stands before a formula: what parts cells in some country or program, what is not seen, and what is cut away. */
const BEFORE = /[,;|'\s\p{Cc}\p{Cf}]+/gu;
const PARTS = /[,;|\t\r\n]/g;
/** Some programs cut these off and run what follows, whatever it is. */
const CONTROLS = /^'*[\t\r\n]/;

/** The places where a program could take what follows for a formula, which a whole text is looked through for once. */
function startsIn(text: string): number[] {
  const starts = FORMULA.test(text.charAt(0)) ? [0] : [];
  for (const { 0: run, index } of text.matchAll(BEFORE)) {
    if (!FORMULA.test(text.charAt(index + run.length))) continue;
    const last = [...run.matchAll(PARTS)].at(-1)?.index;
    if (last !== undefined) starts.push(index + last + 1);
    else if (index === 0) starts.push(0);
  }
  return starts;
}

/** A text that a spreadsheet would compute, with an apostrophe where it would begin to, so that it is shown and not run. */
export function guarded(text: string): string {
  const shown = startsIn(text).reduceRight(
    (changed, start) => `${changed.slice(0, start)}'${changed.slice(start)}`,
    text,
  );
  return CONTROLS.test(shown) ? `'${shown}` : shown;
}

/** The text before it was guarded. */
export function unguarded(text: string): string {
  const bare = text.startsWith("'") && CONTROLS.test(text.slice(1)) ? text.slice(1) : text;
  return startsIn(bare).reduceRight(
    (changed, start) =>
      changed.charAt(start) === "'" ? changed.slice(0, start) + changed.slice(start + 1) : changed,
    bare,
  );
}

/** A line. @param values texts of people are guarded first; numbers, times and ids of ours are not. */
export const csvLine = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`;

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
