/** Which characters a string may have (D152). A wrong character is refused before it can reach Postgres. */

// These expressions look for control characters, which the rule does not allow in a regular expression.
/* oxlint-disable no-control-regex */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;
/* oxlint-enable no-control-regex */
/** What is drawn as nothing; the last one is a pattern of Braille without dots. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Length in characters, that is Unicode code points (D166). */
export const lengthOf = (text: string): number => Array.from(text).length;

/** No control characters and no lone surrogates. */
export const isPlain = (text: string): boolean => !CONTROL.test(text) && isWellFormed(text);

/** As `isPlain`, but newline and tab are allowed: for texts that people write. */
export const isFreeText = (text: string): boolean => !CONTROL_BUT_LINES.test(text) && isWellFormed(text);

/** As `isPlain`, and nothing invisible: for names that are compared byte for byte. */
export const isName = (text: string): boolean => isPlain(text) && !INVISIBLE.test(text);

/** Whether no blank stands at an end, of whatever kind. */
export const isTrimmed = (text: string): boolean => text === text.trim();

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** An Idempotency-Key: 1 to 255 printable ASCII characters (D44). */
export const isPlainKey = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text);
