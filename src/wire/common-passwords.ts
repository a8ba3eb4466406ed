/** The passwords that guessers try first, from lists of passwords that were stolen elsewhere. */
import { passwordForm } from '../domain/plain-text';
import type * as Lists from '@zxcvbn-ts/language-common';

let common: ReadonlySet<string> | undefined;

/** Whether it is one of the forty-nine thousand most common passwords, in upper or lower case and however it is typed. */
export function isCommonPassword(password: string): boolean {
  common ??= loadCommon();
  return common.has(passwordForm(password).toLowerCase());
}

/** The lists take 12 MB, a ninth of an idle API, so they are loaded when somebody chooses a first password. */
function loadCommon(): ReadonlySet<string> {
  // oxlint-disable-next-line typescript/no-require-imports
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof Lists;
  return new Set(dictionary['passwords-common']);
}
