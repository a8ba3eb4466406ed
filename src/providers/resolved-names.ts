/**
 * The holder of an account in the sandbox. The name is computed from the account, so that every process always
 * gives the same name.
 */
import { createHash } from 'node:crypto';

const FIRST_NAMES = [
  'ADAEZE',
  'BABATUNDE',
  'CHINEDU',
  'FATIMA',
  'HALIMA',
  'IBRAHIM',
  'KELECHI',
  'NGOZI',
  'OLUWASEUN',
  'TEMITOPE',
  'UCHE',
  'ZAINAB',
] as const;
const LAST_NAMES = [
  'ADEYEMI',
  'BELLO',
  'EZE',
  'IBEKWE',
  'LAWAL',
  'MUSA',
  'NWOSU',
  'OGUNLEYE',
  'OKAFOR',
  'OKONKWO',
  'SANI',
  'YUSUF',
] as const;

/**
 * The holder's name, `LAST FIRST`, of an account at a known bank (D63): the first two bytes of
 * SHA-256 over bank code and account number pick the first and the last name (D164).
 */
export function sandboxAccountName(bankCode: string, accountNumber: string): string {
  const digest = createHash('sha256')
    .update(bankCode + accountNumber)
    .digest();
  const first = FIRST_NAMES[digest.readUInt8(0) % FIRST_NAMES.length];
  const last = LAST_NAMES[digest.readUInt8(1) % LAST_NAMES.length];
  return `${last} ${first}`;
}
