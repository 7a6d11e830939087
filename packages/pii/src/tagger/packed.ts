/** A value below every hash. */
const LOWEST = -(2 ** 31);

/** Writes lists, each with its length before it. */
export class Writer {
  private readonly parts: Uint8Array[] = [];

  number(value: number): void {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    this.parts.push(part);
  }

  bytes(list: Uint8Array): void {
    this.number(list.length);
    this.parts.push(list);
  }

  floats(list: Float32Array): void {
    const part = Buffer.alloc(list.length * 4);
    for (const [at, value] of list.entries()) part.writeFloatLE(value, at * 4);
    this.bytes(part);
  }

  /** Numbers of varying size, in seven bits per byte, lowest bits first. */
  varying(list: readonly number[]): void {
    const packed: number[] = [];
    for (const value of list) {
      let rest = value;
      for (; rest >= 128; rest = Math.floor(rest / 128)) packed.push((rest % 128) + 128);
      packed.push(rest);
    }
    this.bytes(Uint8Array.from(packed));
  }

  /** Hashes in ascending order, as differences. */
  ascending(hashes: Int32Array): void {
    this.varying(Array.from(hashes, (hash, at) => hash - (at === 0 ? LOWEST : hashes[at - 1]!)));
  }

  take(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** Reads what `Writer` wrote. Its methods throw an error with the given message if they cannot. */
export class Reader {
  private at = 0;

  constructor(
    private readonly file: Buffer,
    private readonly message: string,
  ) {}

  number(): number {
    if (this.at + 4 > this.file.length) throw new Error(this.message);
    this.at += 4;
    return this.file.readUInt32LE(this.at - 4);
  }

  bytes(length?: number): Uint8Array {
    const own = this.number();
    if ((length ?? own) !== own || this.at + own > this.file.length) throw new Error(this.message);
    this.at += own;
    return this.file.subarray(this.at - own, this.at);
  }

  floats(length: number): Float32Array {
    const part = Buffer.from(this.bytes(length * 4));
    return Float32Array.from({ length }, (_, at) => part.readFloatLE(at * 4));
  }

  varying(): number[] {
    const values: number[] = [];
    let value = 0;
    let factor = 1;
    for (const byte of this.bytes()) {
      value += (byte % 128) * factor;
      factor *= 128;
      if (byte >= 128) continue;
      values.push(value);
      value = 0;
      factor = 1;
    }
    if (factor !== 1) throw new Error(this.message);
    return values;
  }

  ascending(): Int32Array {
    let last = LOWEST;
    return Int32Array.from(this.varying(), (difference) => {
      last += difference;
      return last;
    });
  }

  end(): void {
    if (this.at !== this.file.length) throw new Error(this.message);
  }
}
