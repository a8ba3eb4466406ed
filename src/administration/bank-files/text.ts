/** The text of a file that was downloaded, whatever program has written it. */
import { FileProblem } from './words';

const starts = (bytes: Uint8Array, ...first: number[]): boolean =>
  first.every((byte, at) => bytes[at] === byte);

/**
 * @returns the text without a byte order mark, with `\n` at the end of each line.
 * @throws FileProblem for a workbook of Excel, for a PDF, and for bytes that are neither UTF-8 nor marked UTF-16.
 */
export function textOf(bytes: Uint8Array): string {
  if (starts(bytes, 0x50, 0x4b, 0x03, 0x04) || starts(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new FileProblem(
      'this is a workbook of Excel (XLSX or XLS), which rounds long numbers. Download the statement as CSV where the ' +
        'company offers it; else open the workbook, format the columns with ids and references as text, save it as ' +
        '"CSV UTF-8 (comma delimited)", and convert that file',
    );
  }
  if (starts(bytes, 0x25, 0x50, 0x44, 0x46)) {
    throw new FileProblem('this is a PDF. Download the statement as CSV, MT940 or camt.053');
  }
  const encoding = starts(bytes, 0xff, 0xfe) ? 'utf-16le' : starts(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw new FileProblem('this is no UTF-8. Save it as "CSV UTF-8", and convert that file');
  }
}
