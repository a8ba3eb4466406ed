/**
 * Reads what a payer has typed so far. The gateway sends all inputs of a dialogue every time, joined by `*`, and
 * may send the same ones twice. So all inputs are read each time, and nothing is remembered in between.
 */
import { isPin } from './pins';

/**
 * Where the payer is in the dialogue. `hop` is the number of inputs so far, so it is the same when the gateway
 * sends them again.
 */
export type DialogueStep =
  | { kind: 'menu' }
  | { kind: 'ask_pin' }
  | { kind: 'cancel' }
  | { kind: 'pin'; pin: string; hop: number };

/**
 * Reads the inputs after the dial code: `1` confirms, `2` cancels, anything else shows the menu again; after
 * the confirmation four digits are a PIN and anything else asks again, without an attempt.
 */
export function readSteps(inputs: readonly string[]): DialogueStep {
  const chosen = inputs.findIndex((input) => input === '1' || input === '2');
  if (chosen < 0) return { kind: 'menu' };
  if (inputs[chosen] === '2') return { kind: 'cancel' };
  const last = inputs.at(-1) ?? '';
  if (chosen === inputs.length - 1 || !isPin(last)) return { kind: 'ask_pin' };
  return { kind: 'pin', pin: last, hop: inputs.length };
}

/** An input without what phones and networks add to it: blanks around it, and the `#` that ends what is dialled. */
const bare = (input: string): string => input.trim().replace(/#$/, '').trim();

/** What is kept of an input where inputs are remembered: only `1` and `2`, because another one may be a PIN. */
export const markOf = (input: string): string => (['1', '2'].includes(bare(input)) ? bare(input) : 'x');

/** The newest input where inputs are remembered: a choice or a PIN. Everything else means nothing, a dial code too. */
export const meantBy = (input: string): string => (isPin(bare(input)) ? bare(input) : markOf(input));

/** The payment that was dialled, if the dialled text names one, and what was typed after it. */
export interface Dialled {
  code: string | null;
  inputs: string[];
}

/**
 * Finds the six digits of a payment. A network on which the code is ours alone sends them in the service code
 * (`*384*4827*615203#`). A network on which the code is shared sends them as the first input (`615203`).
 * @param serviceBase our part of the code, as in `*384*4827`.
 */
export function readDialled(serviceBase: string, request: { serviceCode: string; text: string }): Dialled {
  const typed = request.text.trim() === '' ? [] : request.text.split('*').map(bare);
  const [inService, ...afterService] = partsAfter(serviceBase, request.serviceCode) ?? [];
  if (isCode(inService)) return { code: inService, inputs: [...afterService, ...typed] };
  const [code, ...rest] = partsAfter(serviceBase, request.text) ?? typed;
  return isCode(code) ? { code, inputs: rest } : { code: null, inputs: typed };
}

function partsAfter(base: string, dialled: string): string[] | null {
  const text = dialled.trim();
  if (!text.startsWith(`${base}*`)) return null;
  return text
    .slice(base.length + 1)
    .split('*')
    .map(bare);
}

const isCode = (text: string | undefined): text is string => /^[0-9]{6}$/.test(text ?? '');
