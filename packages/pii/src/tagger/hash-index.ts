/** Distributes the bits of a hash over a table whose size is a power of two. */
function slotOf(hash: number, slots: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 7) & (slots - 1);
}

/** Finds the place of a hash in a list. */
export class HashIndex {
  private readonly keys: Int32Array;
  private readonly rows: Int32Array;

  /** `hashes` are unique. */
  constructor(hashes: Int32Array) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(16, hashes.length * 2)));
    this.keys = new Int32Array(slots);
    this.rows = new Int32Array(slots);
    for (const [at, hash] of hashes.entries()) {
      let slot = slotOf(hash, slots);
      while (this.rows[slot] !== 0) slot = (slot + 1) & (slots - 1);
      this.keys[slot] = hash;
      this.rows[slot] = at + 1;
    }
  }

  /** Returns the number of a hash in the list, from 1; 0 if it is not in the list. */
  rowOf(hash: number): number {
    const slots = this.rows.length;
    let slot = slotOf(hash, slots);
    while (this.rows[slot] !== 0) {
      if (this.keys[slot] === hash) return this.rows[slot]!;
      slot = (slot + 1) & (slots - 1);
    }
    return 0;
  }
}
