/** The passwords that guessers try first, from lists of passwords that were stolen elsewhere. */
import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON = new Set(dictionary['passwords-common']);

/** Whether it is one of the forty-nine thousand most common passwords, in upper or lower case. */
export const isCommonPassword = (password: string): boolean => COMMON.has(password.toLowerCase());
