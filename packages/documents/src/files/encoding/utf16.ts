import { decodeStrictly } from './decoders.ts';
import { multiByte } from './languages.ts';

/**
 * Returns the byte order of UTF-16 without a byte order mark: the one in which the bytes read as
 * text with line ends or spaces.
 */
export function utf16Of(head: Uint8Array): string | null {
  const wholeUnits = head.subarray(0, head.length - (head.length % 2));
  if (wholeUnits.length < 8) return null;
  const names = ['utf-16le', 'utf-16be'].filter((name) => {
    const text = decodeStrictly(wholeUnits, name, false);
    return text !== null && isText(text);
  });
  return names.length === 1 ? (names[0] ?? null) : null;
}

const han = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
const scripts = [
  han,
  /\p{sc=Hang}/u,
  /\p{sc=Latin}/u,
  /\p{sc=Cyrl}/u,
  /\p{sc=Grek}/u,
  /\p{sc=Arab}/u,
  /\p{sc=Hebr}/u,
  /\p{sc=Thai}/u,
  /\p{sc=Deva}/u,
];
const frequentCharacters = new Set(Object.values(multiByte).join(''));

function isText(text: string): boolean {
  if (/(?![\n\r\t\f])\p{Cc}|\p{Cn}|\p{Co}/u.test(text)) return false;
  const symbols = text.match(/[ -~\n\r\t\u3000-\u3002\uff00-\uff20]/g)?.length ?? 0;
  if (symbols < text.length / 60) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return symbols === text.length;
  const mainScript = scripts.find(
    (script) => letters.filter((one) => script.test(one)).length > letters.length * 0.8,
  );
  if (mainScript !== han) return mainScript !== undefined;
  // Any two bytes form a character of these scripts, but rarely a frequent one.
  return letters.filter((one) => frequentCharacters.has(one)).length > letters.length * 0.15;
}
