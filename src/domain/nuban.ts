/**
 * NUBAN, the ten digits of a Nigerian bank account number: nine digits of a serial and a check digit that also
 * covers the institution's code (CBN, Revised Standards on NUBAN, 2020). Our own accounts follow the rule. A
 * number of another bank is never refused because of it, because wallets whose numbers are phone numbers break the
 * rule.
 */

const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3] as const;

/** How a published institution code becomes the six digits of the 2020 rule, by its length. */
const SIX_DIGIT_PREFIX = new Map([
  [3, '000'],
  [5, '9'],
  [6, ''],
]);

const LAST_SERIAL = 999_999_999;

/**
 * A transfer to a number with such an ending always fails in the sandbox (interface: Sandbox-only operations;
 * R24).
 */
const RESERVED_ENDINGS = ['0000', '0404'];

/**
 * The account number of a serial at an institution (CBN 2020).
 * @param institutionCode digits: 3 of a commercial bank, 5 of another financial institution, or all 6.
 * @param serial 0 to 999999999.
 * @returns ten digits, the last of them the check digit.
 * @throws RangeError for a code or a serial that cannot be numbered: a bug of the caller.
 */
export function nubanFor(institutionCode: string, serial: number): string {
  if (!Number.isInteger(serial) || serial < 0 || serial > LAST_SERIAL) {
    throw new RangeError(`a NUBAN serial is 0 to ${LAST_SERIAL}, not ${serial}`);
  }
  const digits = String(serial).padStart(9, '0');
  return digits + checkDigit(sixDigitCode(institutionCode), digits);
}

/**
 * Whether the check digit of an account number fits an institution: a hint about a destination, never
 * a reason to refuse it (see the head of this file).
 * @throws RangeError for an institution code that is not 3, 5 or 6 digits.
 */
export function isNuban(institutionCode: string, accountNumber: string): boolean {
  const code = sixDigitCode(institutionCode);
  if (!/^[0-9]{10}$/.test(accountNumber)) return false;
  return accountNumber.slice(9) === checkDigit(code, accountNumber.slice(0, 9));
}

/** Whether a number has an ending that the sandbox keeps for failures; such a number is never issued (R24). */
export function isReservedNuban(accountNumber: string): boolean {
  return RESERVED_ENDINGS.some((ending) => accountNumber.endsWith(ending));
}

function sixDigitCode(institutionCode: string): string {
  const prefix = SIX_DIGIT_PREFIX.get(institutionCode.length);
  if (prefix === undefined || !/^[0-9]+$/.test(institutionCode)) {
    throw new RangeError(`an institution code is 3, 5 or 6 digits, not "${institutionCode}"`);
  }
  return prefix + institutionCode;
}

function checkDigit(code: string, serial: string): string {
  const digits = code + serial;
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(digits[place]), 0);
  return String((10 - (sum % 10)) % 10);
}
