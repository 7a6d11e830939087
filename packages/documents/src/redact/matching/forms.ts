import { foldBytes, foldText } from './canonical.ts';

/** Minimum length of a form. Shorter forms occur by chance. */
const minFormLength = 8;
const minNumberLength = 9;

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/**
 * Returns the base64 encodings of bytes at each possible offset in a longer text. Only the
 * characters that do not depend on neighbouring bytes are included.
 */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = Math.floor((padded.length * 8) / 6);
    return padded.toString('base64').slice(Math.ceil((offset * 8) / 6), whole);
  });
}

/** Returns the encodings of a value that do not preserve its letters. */
function encodings(value: string): string[] {
  const cases = [...new Set([value, value.toLowerCase(), value.toUpperCase()])];
  const hex = cases.flatMap((text) => [
    Buffer.from(text, 'utf8').toString('hex'),
    utf16be(text).toString('hex'),
    Buffer.from(text, 'utf16le').toString('hex'),
  ]);
  const base64 = [
    ...cases.flatMap((text) => base64Of(Buffer.from(text, 'utf8'))),
    ...base64Of(utf16be(value)),
    ...base64Of(Buffer.from(value, 'utf16le')),
  ];
  return [...hex, ...base64];
}

function isLongEnough(form: string): boolean {
  return form.length >= (/^\d+$/.test(form) ? minNumberLength : minFormLength);
}

const reverse = (text: string): string => [...text].reverse().join('');

/** Returns the reversed value as folded letters and digits. Empty if the value is a palindrome. */
export function reversedForms(value: string): string[] {
  const units = foldText(value);
  const reversed = reverse(units);
  return reversed === units ? [] : [reversed].filter(isLongEnough);
}

/**
 * Returns the forms to search for among folded letters and digits, in addition to the value itself.
 */
export function textForms(value: string): string[] {
  const forms = encodings(value).map(foldText).filter(isLongEnough);
  return [...new Set([...forms, ...reversedForms(value)])];
}

/** A form to search for in bytes: each character is a byte, in lower case. */
export interface ByteForm {
  form: string;
  /**
   * Whether the form consists of the letters of the value, so that its neighbours show whether it
   * is a whole word.
   */
  isSpelt: boolean;
}

/** Returns the forms of a value to search for in bytes. */
export function byteForms(value: string): ByteForm[] {
  const letters = value.replace(/[^\p{L}\p{N}]+/gu, '');
  const speltForms: string[] = [];
  for (const text of [value, letters, reverse(value), reverse(letters)]) {
    for (const cased of new Set([text, text.toLowerCase(), text.toUpperCase()])) {
      speltForms.push(...textEncodings(cased));
    }
  }
  const percentEncoded = encodeURIComponent(value);
  const codes = [...value].map((letter) => letter.codePointAt(0) ?? 0);
  const encoded = [
    ...encodings(value),
    percentEncoded,
    percentEncoded.replaceAll('%20', '+'),
    codes.map((code) => `&#${code};`).join(''),
    codes.map((code) => `&#x${code.toString(16)};`).join(''),
  ];
  const forms = new Map<string, boolean>();
  for (const form of encoded) forms.set(foldForm(form), false);
  for (const form of speltForms) forms.set(foldForm(form), true);
  return [...forms]
    .map(([form, isSpelt]) => ({ form, isSpelt }))
    .filter(({ form }) => isLongEnough(form) && !isCoordinate(form));
}

/** Numbers such as 12345.678 are common in a PDF. */
const isCoordinate = (form: string): boolean => /^\d{1,8}\.\d+$/.test(form);

/** Folds a form in the same way as the bytes in which it is searched for. */
function foldForm(form: string): string {
  return Buffer.from(foldBytes(Buffer.from(form, 'latin1'))).toString('latin1');
}

/** Returns the encodings of a text: UTF-8 and, beyond Latin-1, UTF-16 without zero bytes. */
function textEncodings(text: string): string[] {
  const utf8 = Buffer.from(text, 'utf8').toString('latin1');
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  if (codes.every((code) => code < 0x80)) return [text];
  if (codes.every((code) => code < 0x100)) return [text, utf8];
  return [utf8, withoutZeros(utf16be(text)), withoutZeros(Buffer.from(text, 'utf16le'))];
}

/** Removes zero bytes, because UTF-16 text is searched without them. */
function withoutZeros(bytes: Buffer): string {
  return Buffer.from(bytes.filter((byte) => byte !== 0)).toString('latin1');
}
