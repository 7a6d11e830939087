/**
 * A text in the form that the matcher compares: letters and digits without differences in case,
 * accents, ligatures and width. The text between them is kept as gaps.
 */
export interface CanonicalText {
  /** The folded letters and digits. */
  units: Uint16Array;
  /** The offset in the text at which the character of each unit starts. */
  starts: Uint32Array;
  /**
   * For each unit, the number of characters other than letters and digits before it, at most 127.
   * `lineGap` is added if one of them ends a line.
   */
  gaps: Uint8Array;
}

/** Flag in `gaps`: the gap contains a line break. */
export const lineGap = 0x80;
export const gapLength = 0x7f;

const separator = null;
const asciiFolds: readonly (string | null)[] = Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(letter) ? letter.toLowerCase() : separator;
});
const foldCache = new Map<number, string | null>();
const maxCached = 20_000;

/** Folds a character. Returns an empty string for marks and joiners, null for separators. */
function fold(code: number): string | null {
  if (code < 128) return asciiFolds[code] ?? separator;
  const cached = foldCache.get(code);
  if (cached !== undefined) return cached;
  let lettersOnly = '';
  let isSeparator = false;
  const normalised = String.fromCodePoint(code)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  for (const letter of normalised) {
    if (/[\p{L}\p{N}]/u.test(letter)) lettersOnly += letter;
    else if (!/[\p{M}\p{Cf}]/u.test(letter)) isSeparator = true;
  }
  const folded = lettersOnly === '' && isSeparator ? separator : lettersOnly;
  if (foldCache.size < maxCached) foldCache.set(code, folded);
  return folded;
}

/** Folds a text, in time linear in its length. */
export function canonicalise(text: string): CanonicalText {
  let units = new Uint16Array(text.length + 8);
  let starts = new Uint32Array(units.length);
  let gaps = new Uint8Array(units.length);
  let count = 0;
  let pendingGap = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const folded = fold(code);
    if (folded === separator) {
      if (pendingGap % lineGap < gapLength) pendingGap += 1;
      if (code === 0x0a || code === 0x0d) pendingGap |= lineGap;
    } else if (folded.length > 0) {
      if (count + folded.length > units.length) {
        // A single character folds to at most 18 characters (U+FDFA).
        const newLength = units.length * 2 + folded.length;
        units = copyInto(units, new Uint16Array(newLength));
        starts = copyInto(starts, new Uint32Array(newLength));
        gaps = copyInto(gaps, new Uint8Array(newLength));
      }
      for (let index = 0; index < folded.length; index += 1) {
        units[count] = folded.charCodeAt(index);
        starts[count] = at;
        gaps[count] = index === 0 ? pendingGap : 0;
        count += 1;
      }
      pendingGap = 0;
    }
    at += code > 0xffff ? 2 : 1;
  }
  return {
    units: units.subarray(0, count),
    starts: starts.subarray(0, count),
    gaps: gaps.subarray(0, count),
  };
}

function copyInto<T extends Uint8Array | Uint16Array | Uint32Array>(old: T, target: T): T {
  target.set(old);
  return target;
}

/** Returns the folded letters and digits of a text as a string. */
export function foldText(text: string): string {
  let folded = '';
  for (const letter of text) folded += fold(letter.codePointAt(0) ?? 0) ?? '';
  return folded;
}

/** Maps bytes of Latin-1 to lower case. */
const lowerCaseBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isCapital =
    (byte >= 0x41 && byte <= 0x5a) || (byte >= 0xc0 && byte <= 0xde && byte !== 0xd7);
  return isCapital ? byte + 0x20 : byte;
});

/** Folds bytes to lower case, as Latin-1. */
export function foldBytes(bytes: Uint8Array): Uint8Array {
  const folded = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) folded[at] = lowerCaseBytes[bytes[at] ?? 0] ?? 0;
  return folded;
}

/** Number of bytes folded at once. The samples of a large picture take hundreds of megabytes. */
const chunkBytes = 4 * 1024 * 1024;

/**
 * Folds bytes in parts. Each part starts with the last `overlap` bytes of the previous one.
 * @param isDense whether to omit zero bytes
 */
export function* foldInParts(
  bytes: Uint8Array,
  overlap: number,
  isDense: boolean,
): Generator<{ folded: Uint8Array; isFirst: boolean; isLast: boolean }> {
  let overlapBytes = new Uint8Array();
  for (let at = 0; at === 0 || at < bytes.length; at += chunkBytes) {
    const next = bytes.subarray(at, at + chunkBytes);
    const folded = foldBytes(isDense ? next.filter((byte) => byte !== 0) : next);
    const part = new Uint8Array(overlapBytes.length + folded.length);
    part.set(overlapBytes);
    part.set(folded, overlapBytes.length);
    const isLast = at + chunkBytes >= bytes.length;
    // A part counts as the first while the bytes before it are shorter than the overlap.
    yield { folded: part, isFirst: at === 0 || overlapBytes.length < overlap, isLast };
    overlapBytes = part.slice(Math.max(0, part.length - overlap));
  }
}
