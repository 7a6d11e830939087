/** JBIG2 encoding of black-and-white pictures (ITU-T T.88), as one lossless generic region. */

/**
 * Probability estimates (table E.1): Qe, and the next states after the more probable and the less
 * probable symbol.
 */
const estimates: readonly (readonly [qe: number, likely: number, unlikely: number])[] = [
  [0x5601, 1, 1],
  [0x3401, 2, 6],
  [0x1801, 3, 9],
  [0x0ac1, 4, 12],
  [0x0521, 5, 29],
  [0x0221, 38, 33],
  [0x5601, 7, 6],
  [0x5401, 8, 14],
  [0x4801, 9, 14],
  [0x3801, 10, 14],
  [0x3001, 11, 17],
  [0x2401, 12, 18],
  [0x1c01, 13, 20],
  [0x1601, 29, 21],
  [0x5601, 15, 14],
  [0x5401, 16, 14],
  [0x5101, 17, 15],
  [0x4801, 18, 16],
  [0x3801, 19, 17],
  [0x3401, 20, 18],
  [0x3001, 21, 19],
  [0x2801, 22, 19],
  [0x2401, 23, 20],
  [0x2201, 24, 21],
  [0x1c01, 25, 22],
  [0x1801, 26, 23],
  [0x1601, 27, 24],
  [0x1401, 28, 25],
  [0x1201, 29, 26],
  [0x1101, 30, 27],
  [0x0ac1, 31, 28],
  [0x09c1, 32, 29],
  [0x08a1, 33, 30],
  [0x0521, 34, 31],
  [0x0441, 35, 32],
  [0x02a1, 36, 33],
  [0x0221, 37, 34],
  [0x0141, 38, 35],
  [0x0111, 39, 36],
  [0x0085, 40, 37],
  [0x0049, 41, 38],
  [0x0025, 42, 39],
  [0x0015, 43, 40],
  [0x0009, 44, 41],
  [0x0005, 45, 42],
  [0x0001, 45, 43],
  [0x5601, 46, 46],
];
/** States in which the less probable symbol becomes the more probable one. */
const switchingStates: ReadonlySet<number> = new Set([0, 6, 14]);
const contextCount = 1 << 16;

/** The arithmetic encoder of annex E. Names follow the figures there. */
class ArithmeticEncoder {
  readonly #states = new Uint8Array(contextCount);
  readonly #likely = new Uint8Array(contextCount);
  #bytes = new Uint8Array(1 << 14);
  #length = 0;
  #a = 0x8000;
  #c = 0;
  #ct = 12;
  /** The byte that a carry may still change; -1 before the first byte. */
  #b = -1;

  encode(context: number, symbol: number): void {
    const state = this.#states[context] ?? 0;
    const [qe, likely, unlikely] = estimates[state] as (typeof estimates)[number];
    this.#a -= qe;
    if (symbol === this.#likely[context]) {
      if (this.#a & 0x8000) {
        this.#c += qe;
        return;
      }
      if (this.#a < qe) this.#a = qe;
      else this.#c += qe;
      this.#states[context] = likely;
    } else {
      if (this.#a < qe) this.#c += qe;
      else this.#a = qe;
      if (switchingStates.has(state)) this.#likely[context] = symbol;
      this.#states[context] = unlikely;
    }
    do {
      this.#a <<= 1;
      this.#c <<= 1;
      this.#ct -= 1;
      if (this.#ct === 0) this.#byteOut();
    } while (!(this.#a & 0x8000));
  }

  #byteOut(): void {
    if (this.#b !== 0xff && this.#c >= 0x8000000) {
      this.#b += 1;
      this.#c &= 0x7ffffff;
    }
    // The bit after 0xff is reserved for a carry.
    const isStuffed = this.#b === 0xff;
    const shift = isStuffed ? 20 : 19;
    this.#next(this.#c >> shift);
    this.#c &= (1 << shift) - 1;
    this.#ct = isStuffed ? 7 : 8;
  }

  #next(byte: number): void {
    if (this.#b >= 0) this.#push(this.#b);
    this.#b = byte;
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  finish(): Uint8Array {
    const max = this.#c + this.#a;
    this.#c |= 0xffff;
    if (this.#c >= max) this.#c -= 0x8000;
    for (let round = 0; round < 2; round += 1) {
      this.#c <<= this.#ct;
      this.#byteOut();
    }
    if (this.#b !== 0xff) this.#next(0xff);
    this.#next(0xac);
    this.#next(0);
    return this.#bytes.subarray(0, this.#length);
  }
}

/** The context for encoding whether a row equals the row above (figure 8). */
const sameRowContext = 0x9b25;
/** Offset of the rows in their buffers, so that pixels to their left are read as white. */
const leftPadding = 4;

function unpack(bits: Uint8Array, width: number, row: Uint8Array): void {
  for (let x = 0; x < width; x += 1) {
    row[leftPadding + x] = ((bits[x >> 3] ?? 0) >> (7 - (x & 7))) & 1 ? 0 : 1;
  }
}

/** Encodes a generic region with template 0 and typical prediction (§6.2.5). */
function encodeRegion(bits: Uint8Array, width: number, height: number): Uint8Array {
  const out = new ArithmeticEncoder();
  const stride = Math.ceil(width / 8);
  let [above2, above, current] = Array.from(
    { length: 3 },
    () => new Uint8Array(width + 2 * leftPadding),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  let wasSame = 0;
  for (let y = 0; y < height; y += 1) {
    unpack(bits.subarray(y * stride, (y + 1) * stride), width, current);
    const isSame = Buffer.compare(current, above) === 0 ? 1 : 0;
    out.encode(sameRowContext, isSame ^ wasSame);
    wasSame = isSame;
    if (!isSame) encodeRow(out, width, above2, above, current);
    [above2, above, current] = [above, current, above2];
  }
  return out.finish();
}

function encodeRow(
  out: ArithmeticEncoder,
  width: number,
  above2: Uint8Array,
  above: Uint8Array,
  current: Uint8Array,
): void {
  // The sliding context (figure 3): five pixels two rows above, seven pixels one row above, and the
  // four preceding pixels.
  let far = ((above2[leftPadding] ?? 0) << 1) | (above2[leftPadding + 1] ?? 0);
  let near =
    ((above[leftPadding] ?? 0) << 2) |
    ((above[leftPadding + 1] ?? 0) << 1) |
    (above[leftPadding + 2] ?? 0);
  let preceding = 0;
  for (let x = 0; x < width; x += 1) {
    far = ((far << 1) | (above2[leftPadding + x + 2] ?? 0)) & 0x1f;
    near = ((near << 1) | (above[leftPadding + x + 3] ?? 0)) & 0x7f;
    const pixel = current[leftPadding + x] ?? 0;
    out.encode((far << 11) | (near << 4) | preceding, pixel);
    preceding = ((preceding << 1) | pixel) & 0xf;
  }
}

/**
 * Returns a segment header and its data (§7.2), on page 1 and without references to other segments.
 */
function segment(number: number, type: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(11);
  head.writeUInt32BE(number, 0);
  head[4] = type;
  head[6] = 1;
  head.writeUInt32BE(data.length, 7);
  return Buffer.concat([head, data]);
}

const pageInformationType = 48;
const losslessRegionType = 39;
/** Template 0 with typical prediction and the default adaptive pixels (§7.4.6). */
const templateFlags = [0x08, 3, -1, -3, -1, 2, -2, -2, -2];

/**
 * Encodes rows of one bit per pixel for JBIG2Decode. 0 is black, and each row starts at a new byte.
 */
export function encodeJbig2(bits: Uint8Array, width: number, height: number): Uint8Array {
  const page = Buffer.alloc(19);
  page.writeUInt32BE(width, 0);
  page.writeUInt32BE(height, 4);
  page[16] = 1; // Lossless.
  const region = Buffer.alloc(17);
  region.writeUInt32BE(width, 0);
  region.writeUInt32BE(height, 4);
  const coded = encodeRegion(bits, width, height);
  const data = Buffer.concat([region, Uint8Array.from(templateFlags), coded]);
  return new Uint8Array(
    Buffer.concat([segment(0, pageInformationType, page), segment(1, losslessRegionType, data)]),
  );
}
