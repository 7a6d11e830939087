import { inflateSync } from 'node:zlib';
import type { Reading } from './reading.ts';

/**
 * Reads a PDF's bytes without following its structure: everything that is in the file is seen,
 * whether something refers to it or not. Streams are inflated where they can be; strings are decoded
 * and put together, as kerning takes words apart.
 */
export function sweep(pdf: Buffer, reader: string): Reading[] {
  const readings: Reading[] = [];
  const addReadings = (bytes: Buffer): void => {
    const text = bytes.toString('latin1');
    readings.push({ by: reader, text, kind: 'bytes' });
    if (!isMostlyText(bytes)) return;
    const { words, codes } = stringsIn(text);
    readings.push(
      { by: reader, text: words, kind: 'text' },
      { by: reader, text: codes, kind: 'codes' },
    );
  };
  let rest = '';
  let last = 0;
  for (const { start, end } of streamsIn(pdf)) {
    rest += `${pdf.toString('latin1', last, start)}\n`;
    last = end;
    const body = pdf.subarray(start, end);
    addReadings(tryInflate(body) ?? body);
  }
  addReadings(Buffer.from(rest + pdf.toString('latin1', last), 'latin1'));
  return readings;
}

function* streamsIn(pdf: Buffer): Generator<{ start: number; end: number }> {
  for (let at = pdf.indexOf('stream'); at >= 0; at = pdf.indexOf('stream', at)) {
    at += 'stream'.length;
    if (pdf[at] === 0x0d) at += 1;
    if (pdf[at] !== 0x0a) continue;
    const end = pdf.indexOf('endstream', at + 1);
    if (end < 0) return;
    yield { start: at + 1, end };
    at = end + 'endstream'.length;
  }
}

function tryInflate(body: Buffer): Buffer | undefined {
  try {
    return inflateSync(body);
  } catch {
    // Not deflated, which is for the stream's dictionary to say: then the bytes are what there is.
    return undefined;
  }
}

/** True for syntax and text; pictures and font programs are not. */
function isMostlyText(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 4096);
  const controlBytes = sample.filter(
    (byte) => byte < 9 || (byte > 13 && byte < 32) || byte > 126,
  ).length;
  return controlBytes < sample.length * 0.2;
}

/** All literal and hexadecimal strings of PDF syntax, one behind the other. */
function stringsIn(text: string): { words: string; codes: string } {
  let words = '';
  let codes = '';
  for (const [token] of text.matchAll(/\((?:\\[\s\S]|[^\\()]|\([^()]*\))*\)|<[0-9A-Fa-f\s]*>/g)) {
    const hex = token.startsWith('<');
    const digits = hex ? token.replace(/[^0-9A-Fa-f]/g, '').toUpperCase() : '';
    const decoded = hex
      ? Buffer.from(digits, 'hex').toString('latin1')
      : unescapeString(token.slice(1, -1));
    words += decoded;
    codes += hex ? digits : Buffer.from(decoded, 'latin1').toString('hex').toUpperCase();
  }
  return { words, codes };
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescapeString(text: string): string {
  return text.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal?: string, other?: string) => {
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return escapes[other ?? ''] ?? (/^[\r\n]/.test(other ?? '') ? '' : (other ?? ''));
  });
}
