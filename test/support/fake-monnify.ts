/** Monnify's adapter as the tests open it: over the fake Monnify of a test file, with the account that the fake knows. */
import { findBank, SEED_BANKS } from '../../src/domain/banks';
import { createMonnify } from '../../src/providers/monnify/monnify';
import { NEW_MONNIFY } from '../standins/monnify/state';

/** @param more what differs from the account of the fake. */
export function openMonnify(
  url: string,
  more: Partial<Parameters<typeof createMonnify>[0]> = {},
): ReturnType<typeof createMonnify> {
  const { apiKey, secretKey, sourceAccount, contractCode } = NEW_MONNIFY.settings;
  return createMonnify({
    url,
    apiKey,
    secretKey,
    sourceAccount,
    contractCode,
    accountsBank: '50515',
    answersWithinMs: 8_000,
    terms: { minKobo: 2_000, costMaxKobo: 5_000, takesDuty: false, callsPerMinute: 120 },
    findBank: (code) => Promise.resolve(findBank(SEED_BANKS, code)),
    ...more,
  });
}
