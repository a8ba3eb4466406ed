/** A statement as a PDF: what is written in it, whoever has written it, and that nothing is cut in silence (D196). */
import { drawStatement } from '../../../src/api/statement-pdf';
import type { StatementEntry } from '../../../src/domain/entries';
import type { Wallet } from '../../../src/domain/wallets';
import { piecesOf, type Piece } from '../../support/pdf-text';

const AT = new Date('2026-11-25T08:41:07Z');
const WALLET = {
  id: '0198c0de-0000-7000-8000-000000000001',
  userRef: 'ada',
  account: { accountNumber: '9000000017', accountName: 'ADA OBI', bankName: 'Sandbox MFB' },
} as unknown as Wallet;

interface Written {
  description?: string;
  reference?: string;
  amountKobo?: number;
  balanceAfterKobo?: number;
}

async function drawn(
  entries: Written[],
  whose: { businessName?: string; wallet?: Wallet } = {},
): Promise<Piece[]> {
  const rows = entries.map(
    (entry, place) =>
      ({
        sequence: place + 1,
        createdAt: AT,
        type: 'p2p_transfer',
        reference: 'order-1',
        description: '',
        amountKobo: 100,
        balanceAfterKobo: 100,
        feeKobo: 0,
        counterparty: null,
        ...entry,
      }) as unknown as StatementEntry,
  );
  async function* batches(): AsyncGenerator<StatementEntry[]> {
    await Promise.resolve();
    yield rows;
  }
  const balance = { balanceKobo: 0, sequence: 0 };
  const statement = {
    walletId: WALLET.id,
    from: AT,
    to: AT,
    opening: balance,
    closing: { balanceKobo: 100, sequence: rows.length },
  };
  const parts: Buffer[] = [];
  const about = { businessName: 'Acme', wallet: WALLET, ...whose };
  for await (const part of drawStatement(statement, batches(), about)) parts.push(part);
  return piecesOf(Buffer.concat(parts));
}

/** The details of the only entry, from left to right as they are seen. */
async function detailsOf(description: string): Promise<string> {
  return lineAt(await drawn([{ description }]), '25 Nov 2026, 09:41');
}

/** What stands beside the text `name` in the same line. */
function lineAt(pieces: Piece[], name: string): string {
  const of = pieces.find(({ text }) => text === name)!;
  const beside = pieces.filter(({ x, y }) => y === of.y && x > of.x && x < 340);
  return beside
    .sort((one, other) => one.x - other.x)
    .map(({ text }) => text)
    .join('')
    .replaceAll('\u00a0', ' ');
}

const reversed = (text: string): string => Array.from(text).reverse().join('');

test.each([
  ['plain text', 'Rent for May', 'Rent for May'],
  ['no text', '', 'p2p transfer'],
  ['nothing but blanks', ' \n\t ', 'p2p transfer'],
  ['several lines', 'two\nlines\tand  more', 'two lines and more'],
  ['hooked letters and marks', 'Ƙasimu Ɗanladi, Ọláwálé ŋ ɲ ɓ ƴ ₦5', 'Ƙasimu Ɗanladi, Ọláwálé ŋ ɲ ɓ ƴ ₦5'],
  ['marks apart', 'Cafe\u0301', 'Café'],
  ['letters that the font has in another form', 'Ａｄａ', 'Ada'],
  ['letters that the font lacks', '北京 5', '[U+5317][U+4EAC] 5'],
  ['a picture', 'Rent 🏦', 'Rent [U+1F3E6]'],
  ['a picture of several', '👩🏽‍💻', '[U+1F469][U+1F3FD][U+1F4BB]'],
  ['letters with marks that the font lacks', 'कि', '[U+0915][U+093F]'],
  ['a letter of Adlam', '𞤀', '[U+1E900]'],
  ['what nobody sees', 'A\u200bd\u00ada\ufeff', 'Ada'],
  ['what would turn the line around', 'pay \u202e000,1\u202c and \u2067x\u2069', 'pay 000,1 and x'],
])('%s', async (_what, description, expected) => {
  expect(await detailsOf(description)).toBe(expected);
});

test.each([
  ['Hebrew', 'שלום עולם', reversed('שלום עולם')],
  ['Hebrew with a number', 'סכום 1,500 שקל', `${reversed('שקל')} 1,500 ${reversed('סכום')}`],
  ['Hebrew within Latin', 'to שלום עולם, May', `to ${reversed('שלום עולם')}, May`],
  ['Latin within Hebrew', 'שלום Ada Obi עולם', `${reversed('עולם')} Ada Obi ${reversed('שלום')}`],
  ['brackets', 'שלום (עולם)', `(${reversed('עולם')}) ${reversed('שלום')}`],
  ['Arabic', 'محمد رشيد', reversed('محمد رشيد')],
  ['Ajami within Latin', 'to محمد رشيد - May', `to ${reversed('محمد رشيد')} - May`],
  ['Arabic digits', 'رقم ٣٤٥', `٣٤٥ ${reversed('رقم')}`],
  ['Arabic with a mark that the font lacks', 'محمدٌ', reversed('محمد')],
  ['a word of one sign', 'محمد - رشيد', reversed('محمد - رشيد')],
])('%s is drawn from right to left', async (_what, description, expected) => {
  expect(await detailsOf(description)).toBe(expected);
});

test.each([
  ['a description', 'W'.repeat(500)],
  ['words', 'Rent for the shop in Kano '.repeat(20)],
  ['letters that the font lacks', '北'.repeat(100)],
  ['marks', 'ọ́'.repeat(200)],
])('%s that does not fit ends with an ellipsis', async (_what, description) => {
  const details = await detailsOf(description);
  expect(details).toMatch(/\S…$/);
  expect(details.length).toBeGreaterThan(20);
  expect(details.length).toBeLessThan(120);
});

test('what is read from right to left and does not fit ends with an ellipsis at the left', async () => {
  const details = await detailsOf('שלום '.repeat(60));
  expect(details).toMatch(/^…/);
  expect(reversed(details.slice(1))).toMatch(/^(שלום ?)+|ש/);
});

test('a text that fits just so is whole', async () => {
  const details = await detailsOf('Rent for May and June');
  expect(details).not.toContain('…');
});

test('the head has the names of the business and the account in the same way', async () => {
  const wallet = {
    ...WALLET,
    userRef: '北'.repeat(120),
    account: { ...WALLET.account, accountName: 'محمد' },
  } as Wallet;
  const pieces = await drawn([], { businessName: 'Ọja 京', wallet });
  expect(pieces.map(({ text }) => text)).toContain('Ọja [U+4EAC]');
  expect(lineAt(pieces, 'Account')).toBe(`9000000017, ${reversed('محمد')}, Sandbox MFB`);
  expect(lineAt(pieces, 'Owner')).toMatch(/^(\[U\+5317\])+.*…$/);
});

test('a long amount is smaller and whole', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const pieces = await drawn([{ amountKobo: -most, balanceAfterKobo: most }]);
  expect(pieces.filter(({ text }) => text === '90,071,992,547,409.91')).toHaveLength(2);
});
