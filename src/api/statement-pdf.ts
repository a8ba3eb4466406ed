/**
 * A statement as a PDF, drawn while its caller reads it. The font has the naira sign and every letter of Nigerian
 * languages, which the fonts that PDF readers bring along have not.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import type PdfDocument from 'pdfkit';
import { feeText, linesOf, type StatementLineShown } from '../domain/counterparties';
import type { StatementEntry } from '../domain/entries';
import { nairaText } from '../domain/money';
import type { Wallet } from '../domain/wallets';
import type { Statement } from '../wire/statements';
import { drawLine } from './pdf-text';

const FONTS = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
/** In points, as everything below: A4. */
const PAGE = { width: 595.28, height: 841.89, margin: 40, footer: 24 };
const ROW = 25;
const SIZES = { title: 16, text: 9, row: 7.5, note: 6.5 };
const GREY = '#666666';
const COLUMNS = [
  { title: 'Date (Lagos)', width: 88, align: 'left' },
  { title: 'Details', width: 217, align: 'left' },
  { title: 'Debit (₦)', width: 70, align: 'right' },
  { title: 'Credit (₦)', width: 70, align: 'right' },
  { title: 'Balance (₦)', width: 70, align: 'right' },
] as const;
/** So many rows are drawn without a pause: some milliseconds, in which the process does nothing else. */
const ROWS_AT_ONCE = 25;

const LAGOS = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Lagos',
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** @param whose the company and the wallet that the statement is about. */
export async function* drawStatement(
  statement: Statement,
  batches: AsyncIterable<StatementEntry[]>,
  whose: { businessName: string; wallet: Wallet },
): AsyncGenerator<Buffer> {
  const { margin } = PAGE;
  // It is loaded here and not above, because it is large and most processes never draw a statement.
  // oxlint-disable-next-line typescript/no-require-imports
  const PDFDocument = require('pdfkit') as typeof PdfDocument;
  const document = new PDFDocument({
    size: 'A4',
    margin,
    font: FONTS.regular,
    info: { Title: 'Wallet statement', Author: whose.businessName },
  });
  const sheet = openSheet(document);
  drawHead(document, statement, whose);
  sheet.beginTable(document.y + 16);
  for await (const entries of batches) {
    for (let first = 0; first < entries.length; first += ROWS_AT_ONCE) {
      for (const shown of entries.slice(first, first + ROWS_AT_ONCE).flatMap(linesOf)) sheet.addRow(shown);
      yield* drawnParts(document);
      await otherWork();
    }
  }
  sheet.end();
  document.end();
  for await (const part of document) yield part as Buffer;
}

/** What is drawn by now. */
function* drawnParts(document: PDFKit.PDFDocument): Generator<Buffer> {
  const read = (): Buffer | null => document.read() as Buffer | null;
  for (let part = read(); part !== null; part = read()) yield part;
}

function drawHead(
  document: PDFKit.PDFDocument,
  { walletId, from, to, opening, closing }: Statement,
  { businessName, wallet }: { businessName: string; wallet: Wallet },
): void {
  const { account, userRef } = wallet;
  document.font(FONTS.bold).fontSize(SIZES.title).text('Wallet statement').moveDown(0.3);
  document.font(FONTS.regular).fontSize(SIZES.text).fillColor(GREY);
  lineBelow(document, businessName, 0);
  document.moveDown(0.8);
  const lines = [
    ['Wallet', walletId],
    ['Owner', userRef],
    ...(account
      ? [['Account', `${account.accountNumber}, ${account.accountName}, ${account.bankName}`]]
      : []),
    ['Period', `${LAGOS.format(from)} to just before ${LAGOS.format(to)}, Lagos`],
    ['Opening balance', `₦${amountText(opening.balanceKobo)}`],
    ['Closing balance', `₦${amountText(closing.balanceKobo)}`],
    ['Entries', String(closing.sequence - opening.sequence)],
  ];
  for (const [name = '', value = ''] of lines) {
    const { y } = document;
    document.fillColor(GREY).text(name, PAGE.margin, y, { width: 110 });
    document.y = y;
    document.fillColor('black');
    lineBelow(document, value, 110);
  }
}

/** A line at the place where the document is, which goes on below it. @param indent from the margin, in points. */
function lineBelow(document: PDFKit.PDFDocument, text: string, indent: number): void {
  const { y } = document;
  const left = PAGE.margin + indent;
  drawLine(document, text, { left, top: y, width: PAGE.width - PAGE.margin - left }, 'ltr');
  document.x = PAGE.margin;
  document.y = y + document.currentLineHeight(true);
}

/** The table of entries over as many pages as it needs; each has its head and its number. */
function openSheet(document: PDFKit.PDFDocument) {
  const bottom = PAGE.height - PAGE.margin - PAGE.footer;
  let page = 1;
  let y = 0;

  function cell(text: string, column: number, top: number): void {
    const { width, align } = COLUMNS[column] as (typeof COLUMNS)[number];
    const left = PAGE.margin + COLUMNS.slice(0, column).reduce((sum, one) => sum + one.width, 0);
    if (align === 'right') drawAmount(text, left, top, width - 6);
    else drawLine(document, text, { left, top, width: width - 4 });
  }
  /** Smaller where it is long, and never cut: a part of an amount is another amount. */
  function drawAmount(text: string, left: number, top: number, width: number): void {
    const needed = document.widthOfString(text);
    if (needed > width) document.fontSize((SIZES.row * width) / needed);
    document.text(text, left + width - Math.min(needed, width), top, { lineBreak: false });
    document.fontSize(SIZES.row);
  }
  function drawColumns(): void {
    document.font(FONTS.bold).fontSize(SIZES.row).fillColor('black');
    for (const [column, { title }] of COLUMNS.entries()) cell(title, column, y);
    y += ROW / 2;
    drawRule();
    document.font(FONTS.regular);
  }
  function drawRule(): void {
    document
      .moveTo(PAGE.margin, y - 2)
      .lineTo(PAGE.width - PAGE.margin, y - 2)
      .lineWidth(0.4)
      .strokeColor(GREY)
      .stroke();
  }
  function drawNumber(): void {
    const top = PAGE.height - PAGE.margin - SIZES.note;
    document.fontSize(SIZES.note).fillColor(GREY);
    // Without a margin at the bottom, where the text stands, it would begin another page.
    const { bottom: before } = document.page.margins;
    document.page.margins.bottom = 0;
    document.text(`Page ${String(page)}`, PAGE.margin, top, { align: 'right', lineBreak: false, width: 515 });
    document.page.margins.bottom = before;
  }
  return {
    beginTable(top: number): void {
      y = top;
      drawColumns();
    },
    addRow(shown: StatementLineShown): void {
      if (y + ROW > bottom) {
        drawNumber();
        document.addPage();
        page++;
        y = PAGE.margin;
        drawColumns();
      }
      const { entry, about, amountKobo, balanceAfterKobo } = shown;
      const { createdAt, description, reference, type } = entry;
      const words = description.trim() === '' ? type.replaceAll('_', ' ') : description;
      document.fontSize(SIZES.row).fillColor('black');
      cell(LAGOS.format(createdAt), 0, y);
      cell(about === 'fee' ? feeText(shown) : words, 1, y);
      if (amountKobo < 0) cell(amountText(-amountKobo), 2, y);
      else cell(amountText(amountKobo), 3, y);
      cell(amountText(balanceAfterKobo), 4, y);
      document.fontSize(SIZES.note).fillColor(GREY);
      const who = about === 'fee' ? '' : whoText(entry);
      cell([who, reference].filter(Boolean).join(' · '), 1, y + SIZES.row + 3);
      y += ROW;
      drawRule();
    },
    end: drawNumber,
  };
}

/** "to ADA OBI, Wema Bank, ******6789" */
function whoText({ amountKobo, counterparty }: StatementEntry): string {
  if (!counterparty) return '';
  const { name, bankName, accountNumber } = counterparty;
  const known = [name, bankName, accountNumber].filter((one) => one !== null).join(', ');
  return known === '' ? '' : `${amountKobo < 0 ? 'to' : 'from'} ${known}`;
}

/** Naira with commas: 123450 -> "1,234.50". */
const amountText = (amountKobo: number): string =>
  nairaText(amountKobo).replaceAll(/\B(?=(\d{3})+(?=\.))/g, ',');
