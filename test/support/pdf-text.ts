/** What a PDF of ours says, piece by piece from left to right as it is seen: each with its place and its width. */
import { inflateSync } from 'node:zlib';

export interface Piece {
  text: string;
  x: number;
  y: number;
}

/** @throws where the document is none that pdfkit writes. */
export function piecesOf(pdf: Buffer): Piece[] {
  const objects = new Map<number, string>();
  const streams = new Map<number, string>();
  const source = pdf.toString('latin1');
  for (const { 1: id = '', 2: body = '' } of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', data] = body.split(/\nstream\n/);
    objects.set(Number(id), head);
    if (data === undefined) continue;
    const bytes = Buffer.from(data.replace(/\nendstream$/, ''), 'latin1');
    streams.set(Number(id), (head.includes('FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1'));
  }
  const fonts = new Map<string, Map<string, string>>();
  for (const head of objects.values()) {
    for (const { 1: name = '', 2: id = '' } of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const mapped = Number(/\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id)) ?? '')?.[1]);
      fonts.set(name, textsOf(streams.get(mapped) ?? ''));
    }
  }
  return [...objects]
    .filter(([, head]) => /\/Type \/Page\b/.test(head))
    .flatMap(([, head]) =>
      piecesIn(streams.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1])) ?? '', fonts),
    );
}

/** The text of each glyph of a font. */
function textsOf(map: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { 1: from = '', 2: list = '' } of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    [...list.matchAll(/<([0-9a-f ]*)>/gi)].forEach(({ 1: units = '' }, place) => {
      const glyph = (parseInt(from, 16) + place).toString(16).padStart(4, '0');
      const text = Buffer.from(units.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
      texts.set(glyph, text);
    });
  }
  return texts;
}

function piecesIn(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): Piece[] {
  const pieces: Piece[] = [];
  let font: ReadonlyMap<string, string> = new Map();
  let [x, y] = [0, 0];
  const step = /1 0 0 1 ([\d.]+) ([\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[\d. -])*)\] TJ/g;
  for (const [, left, bottom, name, shown] of content.matchAll(step)) {
    if (left !== undefined) [x, y] = [Number(left), Number(bottom)];
    else if (name !== undefined) font = fonts.get(name) ?? new Map();
    else {
      const glyphs = [...(shown ?? '').matchAll(/<([0-9a-f]*)>/g)].flatMap(
        ({ 1: hex = '' }) => hex.match(/.{4}/g) ?? [],
      );
      pieces.push({ text: glyphs.map((glyph) => font.get(glyph) ?? '\ufffd').join(''), x, y });
    }
  }
  return pieces;
}
