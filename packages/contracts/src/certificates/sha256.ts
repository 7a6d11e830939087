/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const roundConstants = Int32Array.from(
  firstPrimes(64).map((prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) | 0),
);
/** The same of their square roots, for the first 8 primes. */
const initialState = firstPrimes(8).map((prime) => Math.floor((Math.sqrt(prime) % 1) * 2 ** 32));

const blockBytes = 64;
const partBytes = 4 * 1024 * 1024;

/**
 * SHA-256 (FIPS 180-4) of bytes that arrive in parts. WebCrypto hashes only what is in memory as a
 * whole.
 */
export class Sha256 {
  readonly #state = Uint32Array.from(initialState);
  readonly #schedule = new Uint32Array(64);
  readonly #block = new Uint8Array(blockBytes);
  #blockLength = 0;
  #total = 0;

  update(bytes: Uint8Array): this {
    this.#total += bytes.length;
    let at = 0;
    if (this.#blockLength > 0) {
      at = Math.min(blockBytes - this.#blockLength, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#blockLength);
      this.#blockLength += at;
      if (this.#blockLength < blockBytes) return this;
      this.#compress(this.#block, 0);
      this.#blockLength = 0;
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) this.#compress(bytes, at);
    this.#block.set(bytes.subarray(at));
    this.#blockLength = bytes.length - at;
    return this;
  }

  /** Returns the hash in hexadecimal. Call it once, after all updates. */
  digest(): string {
    const bits = this.#total * 8;
    const padding = new Uint8Array((this.#blockLength < 56 ? 56 : 120) - this.#blockLength + 8);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits >>> 0);
    this.update(padding);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #compress(bytes: Uint8Array, offset: number): void {
    compress(this.#state, this.#schedule, bytes, offset);
  }
}

/** Mixes a block of 64 bytes into the state. Allocates nothing, because it runs for every block. */
function compress(
  state: Uint32Array,
  schedule: Uint32Array,
  bytes: Uint8Array,
  offset: number,
): void {
  for (let t = 0; t < 16; t += 1) {
    const at = offset + 4 * t;
    schedule[t] =
      (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  }
  for (let t = 16; t < 64; t += 1) {
    const early = schedule[t - 15]!;
    const late = schedule[t - 2]!;
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[t] = (schedule[t - 16]! + s0 + schedule[t - 7]! + s1) | 0;
  }
  let a = state[0]! | 0;
  let b = state[1]! | 0;
  let c = state[2]! | 0;
  let d = state[3]! | 0;
  let e = state[4]! | 0;
  let f = state[5]! | 0;
  let g = state[6]! | 0;
  let h = state[7]! | 0;
  for (let t = 0; t < 64; t += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + roundConstants[t]! + schedule[t]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + s0 + majority) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}

/**
 * Returns the SHA-256 of a file in hexadecimal. Reads a few megabytes at a time, so the size of the
 * file does not matter.
 * @param onProgress called with the number of bytes that have been read
 */
export async function hashFile(
  file: Blob,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<string> {
  const hash = new Sha256();
  for (let at = 0; at < file.size; at += partBytes) {
    const part = file.slice(at, at + partBytes);
    hash.update(new Uint8Array(await part.arrayBuffer()));
    onProgress(at + part.size);
  }
  return hash.digest();
}
