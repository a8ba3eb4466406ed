/** What a dialect of the interface spells in its own way. Each dialect is a folder beside this file (D2, D133). */
import type { z } from 'zod';
import type { Refusal } from '../domain/refusals';
import type { Transaction } from '../domain/transactions';
import type { UssdSession } from '../domain/ussd';
import type { Alias } from './read';
import type { BalancesAfter } from './transaction-fields';
import type { UssdStarted } from './ussd-fields';
import type { WalletFields } from './wallet-fields';

export interface Dialect {
  /** Its names for fields that the reference names otherwise; requests may use them whatever form they ask for. */
  names: readonly Alias[];
  /** Whether a body that uses one of its names asks for this form. */
  isToldByNames: boolean;
  /** A USSD payment must name the payer's phone (D70). */
  asksForPhone: boolean;
  transaction: { schema: z.ZodObject; write: (of: Transaction, balances?: BalancesAfter) => object };
  wallet: { schema: z.ZodObject; write: (fields: WalletFields) => object };
  ussdStarted: {
    answer: z.ZodObject;
    write: (started: UssdStarted, session: UssdSession, requestId: string) => object;
  };
  error: {
    schema: z.ZodObject;
    /** As JSON text. */
    write: (refusal: Refusal, status: number, requestId: string) => string;
    /** @param byOwnTable the operation is one for which a form may publish statuses of its own (D53). */
    statusOf: (refusal: Refusal, byOwnTable: boolean) => number;
  };
}
