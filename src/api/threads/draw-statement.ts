/** Draws the PDF of a statement whole, of entries that come while it is drawn. */
import type { StatementEntry } from '../../domain/entries';
import type { Wallet } from '../../domain/wallets';
import type { Statement } from '../../wire/statements';
import { drawStatement } from '../statement-pdf';

/** The statement, with the company and the wallet that it is about. */
export interface StatementDrawing {
  statement: Statement;
  businessName: string;
  wallet: Wallet;
}

/** @returns the bytes of the document: some 150 for each entry. */
export async function drawWholeStatement(
  { statement, businessName, wallet }: StatementDrawing,
  batches: AsyncIterable<StatementEntry[]>,
): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of drawStatement(statement, batches, { businessName, wallet })) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
