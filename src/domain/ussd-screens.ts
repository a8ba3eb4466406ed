/**
 * The screens of a USSD payment as the gateway sends them: `CON` waits for input, `END` closes. At most 160
 * characters that every handset and gateway can show, so no naira sign and no letters with marks (D71).
 */
import { nairaText, type Kobo } from './money';
import { asciiOf } from './plain-text';
import type { UssdStatus } from './ussd';

/** The limit for a whole answer, with its first word. */
export const SCREEN_MAX = 160;
const NAME_MAX = 40;

interface Payment {
  amountKobo: Kobo;
  merchantName: string;
  reference: string;
}

export const SCREENS = {
  menu: ({ amountKobo, merchantName, reference }: Payment): string =>
    `CON Pay NGN ${grouped(amountKobo)} to ${shown(merchantName)}\nRef ${shown(reference)}\n1. Confirm\n2. Cancel`,
  pin: (): string => 'CON Enter your 4-digit wallet PIN',
  wrongPin: (triesLeft: number): string =>
    `CON Wrong PIN. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left. Enter PIN`,
  unknownCode: (): string => 'END Unknown payment code',
  otherPhone: (): string => 'END This payment belongs to another phone',
  invalid: (): string => 'END Invalid request',
  unavailable: (): string => 'END Service unavailable',
  expired: (): string => 'END Session expired',
  /** For a payer who has hung up, so nobody reads it. */
  ended: (): string => 'END Goodbye',
  completed: ({ reference }: Pick<Payment, 'reference'>): string =>
    `END Payment successful. Ref ${shown(reference)}`,
  processing: ({ reference }: Pick<Payment, 'reference'>): string =>
    `END Payment is being processed. Ref ${shown(reference)}`,
  /** The PIN may be right, and then the payment is carried out: nobody may be told yet that it is not. */
  checking: (): string => 'END Your PIN is being checked. Dial again to see the result',
  failed: (reason: string | null): string => `END ${FAILURES[reason ?? ''] ?? 'Payment not possible'}`,
};

/** What the payer is told about a failure. The reason of a freeze is never shown on a screen. */
const FAILURES: Readonly<Record<string, string>> = {
  CANCELLED: 'Cancelled',
  INSUFFICIENT_FUNDS: 'Insufficient balance',
  WRONG_PIN: 'Wrong PIN 3 times',
  PIN_LOCKED: 'PIN locked',
  PIN_NOT_SET: 'PIN not set',
};

/** The screen for the status of a session. */
export function screenOf(session: Payment & { status: UssdStatus; failureReason: string | null }): string {
  switch (session.status) {
    case 'initiated':
    case 'menu_main':
      return SCREENS.menu(session);
    case 'pin_entry':
      return SCREENS.pin();
    case 'processing':
      return SCREENS.processing(session);
    case 'completed':
      return SCREENS.completed(session);
    case 'failed':
      return SCREENS.failed(session.failureReason);
    case 'expired':
      return SCREENS.expired();
  }
}

/** `2,500.00` */
function grouped(amountKobo: Kobo): string {
  return nairaText(amountKobo).replace(/\B(?=(\d{3})+\.)/g, ',');
}

/** A name or reference in characters that every handset has, cut to what fits. */
function shown(text: string): string {
  const plain = asciiOf(text, '?');
  return plain.length <= NAME_MAX ? plain : `${plain.slice(0, NAME_MAX - 2)}..`;
}
