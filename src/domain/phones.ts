/**
 * Telephone numbers. They are kept in E.164 form and compared by their digits, because networks, gateways and people write one
 * number in several ways (D70).
 */

/** How a number is written where people read what it must look like. */
export const PHONE_EXAMPLE = '+2348012345678';

const E164 = /^\+[1-9][0-9]{7,14}$/;
/** Within Nigeria a number begins with a 0, which nobody dials behind the country's code. */
const ZERO_BEHIND_CODE = /^\+?2340/;

/** Whether a text is a number in E.164 form that can be dialled. */
export const isE164 = (text: string): boolean => E164.test(text) && !ZERO_BEHIND_CODE.test(text);

/** Whether a number has the 0 of Nigeria behind the country's code. */
export const hasZeroBehindCode = (text: string): boolean => ZERO_BEHIND_CODE.test(text);

/**
 * One spelling of a number, whoever wrote it: `0801 234 5678`, `234-801-234-5678`, `00234 801 234 5678` and `+2340801 234 5678`
 * are all `+2348012345678`. What has no digits is nobody's number.
 */
export function phoneOf(text: string): string {
  const digits = text.replace(/[^0-9]/g, '');
  const international = digits
    .replace(/^00(?=[1-9])/, '')
    .replace(/^0(?=[1-9][0-9]{9}$)/, '234')
    .replace(/^2340(?=[1-9][0-9]{9}$)/, '234');
  return `+${international}`;
}
