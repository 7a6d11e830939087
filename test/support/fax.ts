/** Group 4 fax coding of black-and-white pictures (ITU-T T.6), for CCITTFaxDecode with K -1. */

/** Codes of runs below 64 pixels, white and black (T.4 table 2). */
const whiteEnds =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100'.split(
    ' ',
  );
const blackEnds =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111'.split(
    ' ',
  );
/** Codes of 64, 128, … 1,728 pixels (table 3a), then of 1,792 … 2,560 in either colour (3b). */
const whiteMakeUps =
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011'.split(
    ' ',
  );
const blackMakeUps =
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 0000001100100 0000001100101'.split(
    ' ',
  );
const longMakeUps =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 000000011100 000000011101 000000011110 000000011111'.split(
    ' ',
  );
/** Vertical modes (T.6 table 1): the offset from the change above, -3 to 3. */
const vertical = ['0000010', '000010', '010', '1', '011', '000011', '0000011'];
const horizontal = '001';
const pass = '0001';
const endOfBlock = '000000000001000000000001';
const maxRun = 2560;

class BitWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #free = 8;

  write(code: string): void {
    for (let at = 0; at < code.length; at += 1) {
      this.#free -= 1;
      if (code.charCodeAt(at) === 0x31) this.#byte |= 1 << this.#free;
      if (this.#free === 0) this.#flush();
    }
  }

  #flush(): void {
    this.#bytes.push(this.#byte);
    this.#byte = 0;
    this.#free = 8;
  }

  finish(): Uint8Array {
    if (this.#free < 8) this.#flush();
    return Uint8Array.from(this.#bytes);
  }
}

function writeRun(out: BitWriter, length: number, black: boolean): void {
  let remaining = length;
  while (remaining >= maxRun + 64) {
    out.write(longMakeUps.at(-1) ?? '');
    remaining -= maxRun;
  }
  if (remaining >= 64) {
    const step = Math.floor(remaining / 64);
    const makeUps = black ? blackMakeUps : whiteMakeUps;
    out.write((step <= 27 ? makeUps[step - 1] : longMakeUps[step - 28]) ?? '');
    remaining -= step * 64;
  }
  out.write((black ? blackEnds : whiteEnds)[remaining] ?? '');
}

/** The positions where a row changes colour; rows start white. */
function changesOf(row: Uint8Array, width: number): number[] {
  const changes: number[] = [];
  let black = false;
  for (let x = 0; x < width; x += 1) {
    const byte = row[x >> 3] ?? 0;
    // Most bytes of a page have no change.
    if ((x & 7) === 0 && x + 8 <= width && byte === (black ? 0 : 0xff)) {
      x += 7;
      continue;
    }
    const isBlack: boolean = ((byte >> (7 - (x & 7))) & 1) === 0;
    if (isBlack !== black) {
      changes.push(x);
      black = isBlack;
    }
  }
  return changes;
}

/**
 * Codes rows of one bit per pixel, 0 is black, each row starting at a new byte. CCITTFaxDecode with
 * `K -1`, `BlackIs1 false` decodes it.
 */
export function encodeFax(bits: Uint8Array, width: number, height: number): Uint8Array {
  const out = new BitWriter();
  const stride = Math.ceil(width / 8);
  let above: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const changes = changesOf(bits.subarray(y * stride, (y + 1) * stride), width);
    writeRow(out, changes, above, width);
    above = changes;
  }
  out.write(endOfBlock);
  return out.finish();
}

function writeRow(
  out: BitWriter,
  changes: readonly number[],
  above: readonly number[],
  width: number,
): void {
  let a0 = -1;
  let black = false;
  let next = 0;
  let aboveIndex = 0;
  while (a0 < width) {
    while (next < changes.length && ((changes[next] ?? 0) <= a0 || next % 2 !== (black ? 1 : 0)))
      next += 1;
    const a1 = changes[next] ?? width;
    // The first change above, right of a0, to the colour opposite to that of a0.
    while (aboveIndex > 0 && (above[aboveIndex - 1] ?? 0) > a0) aboveIndex -= 1;
    while (
      aboveIndex < above.length &&
      ((above[aboveIndex] ?? 0) <= a0 || aboveIndex % 2 !== (black ? 1 : 0))
    ) {
      aboveIndex += 1;
    }
    const b1 = above[aboveIndex] ?? width;
    const b2 = above[aboveIndex + 1] ?? width;
    if (b2 < a1) {
      out.write(pass);
      a0 = b2;
    } else if (Math.abs(a1 - b1) <= 3) {
      out.write(vertical[a1 - b1 + 3] ?? '');
      a0 = a1;
      black = !black;
    } else {
      const a2 = changes[next + 1] ?? width;
      out.write(horizontal);
      writeRun(out, a1 - Math.max(a0, 0), black);
      writeRun(out, a2 - a1, !black);
      a0 = a2;
    }
  }
}
