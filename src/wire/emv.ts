/**
 * The text of a QR code by EMVCo's merchant-presented mode: fields of tag, length and value, and a checksum over
 * all of it (EMVCo QRCPS-MPM). The merchant account is our own template, because only NIBSS issues the ids of NQR.
 */
import { nairaText, type Kobo } from '../domain/money';
import { asciiOf } from '../domain/plain-text';

/** Every such text begins with this: the payload format indicator. */
const OPENING = '000201';
/** Names the owner of the merchant account template, as a reverse domain would. */
const GLOBAL_ID = 'NG.PARTNERWALLET';
const TAG = {
  format: '00',
  initiation: '01',
  merchantAccount: '26',
  category: '52',
  currency: '53',
  amount: '54',
  country: '58',
  name: '59',
  city: '60',
  additional: '62',
  check: '63',
} as const;
const DYNAMIC = '12';
const NO_CATEGORY = '0000';
const NAIRA = '566';
const NAME_MAX = 25;
const CITY = 'LAGOS';

export interface EmvRequest {
  walletId: string;
  amountKobo: Kobo;
  payeeName: string;
  /** Stands for the partner's reference, which may be longer than the 25 characters of a label. */
  label: string;
}

/**
 * The code's text; D23's `qr_payload`. What is scanned must be this text again, byte for byte, as long as the request can be
 * paid (D160): a change of how it is written would make the codes of the last day worthless.
 */
export function writeEmv({ walletId, amountKobo, payeeName, label }: EmvRequest): string {
  const body = [
    field(TAG.format, '01'),
    field(TAG.initiation, DYNAMIC),
    field(TAG.merchantAccount, field('00', GLOBAL_ID) + field('01', walletId.replaceAll('-', ''))),
    field(TAG.category, NO_CATEGORY),
    field(TAG.currency, NAIRA),
    field(TAG.amount, nairaText(amountKobo)),
    field(TAG.country, 'NG'),
    field(TAG.name, emvName(payeeName)),
    field(TAG.city, CITY),
    field(TAG.additional, field('05', label)),
    `${TAG.check}04`,
  ].join('');
  return body + crc16(body);
}

/** Why the text of a code is refused: nobody pays by what we have not issued, so a check that fits proves nothing. */
export const NOT_OURS = 'is not a code of ours, or was misread';

export const isEmv = (text: string): boolean => text.startsWith(OPENING);

/** The label of a code of ours, or null when its structure or its check is wrong (D160). */
export function readEmvLabel(text: string): string | null {
  const body = text.slice(0, -4);
  if (!body.endsWith(`${TAG.check}04`) || crc16(body) !== text.slice(-4)) return null;
  const fields = readFields(text);
  const template = fields && readFields(fields.get(TAG.merchantAccount) ?? '');
  const additional = fields && readFields(fields.get(TAG.additional) ?? '');
  return template?.get('00') === GLOBAL_ID ? (additional?.get('05') ?? null) : null;
}

/** The fields by tag; null where a tag is malformed or a length goes past the end. */
function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const [, tag, digits] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    if (tag === undefined) return null;
    const end = at + 4 + Number(digits);
    if (end > text.length) return null;
    fields.set(tag, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

const field = (tag: string, value: string): string => tag + String(value.length).padStart(2, '0') + value;

/** A name that every scanner can print: plain capitals, at most 25; never empty. */
export function emvName(name: string): string {
  const plain = asciiOf(name, ' ')
    .toUpperCase()
    .replace(/[^A-Z0-9 .,&'()/-]/g, ' ');
  return plain.replace(/ +/g, ' ').trim().slice(0, NAME_MAX).trim() || 'WALLET';
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, from 0xFFFF, not reflected; four capitals in hexadecimal. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
