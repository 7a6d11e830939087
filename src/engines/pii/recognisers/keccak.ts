/** Keccak-256 as Ethereum uses it (padding 0x01, before FIPS 202 changed it). */
const mask = (1n << 64n) - 1n;
const rotate = (lane: bigint, by: bigint) => ((lane << by) | (lane >> (64n - by))) & mask;

/** Round constants by the linear feedback shift register of the specification, 1.2. */
function roundConstants(): bigint[] {
  let state = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if (state & 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      state = (state << 1) ^ (state & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
}
const constants = roundConstants();

function permute(lanes: bigint[]): void {
  const at = (x: number, y: number) => (x % 5) + 5 * (y % 5);
  const lane = (index: number) => lanes[index] ?? 0n;
  for (const constant of constants) {
    const columns = [0, 1, 2, 3, 4].map((x) =>
      [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ lane(at(x, y)), 0n),
    );
    for (let index = 0; index < 25; index += 1) {
      const before = columns[(index + 4) % 5] ?? 0n;
      lanes[index] = lane(index) ^ before ^ rotate(columns[(index + 1) % 5] ?? 0n, 1n);
    }
    let [x, y] = [1, 0];
    let moving = lane(1);
    for (let step = 1; step <= 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = lane(at(x, y));
      lanes[at(x, y)] = rotate(moving, BigInt(((step * (step + 1)) / 2) % 64));
      moving = next;
    }
    for (let row = 0; row < 5; row += 1) {
      const old = [0, 1, 2, 3, 4].map((column) => lane(at(column, row)));
      for (let column = 0; column < 5; column += 1) {
        const next = ~(old[(column + 1) % 5] ?? 0n) & mask & (old[(column + 2) % 5] ?? 0n);
        lanes[at(column, row)] = (old[column] ?? 0n) ^ next;
      }
    }
    lanes[0] = lane(0) ^ constant;
  }
}

/** The digest of a short text (at most 135 bytes), in hex. */
export function keccak256(text: string): string {
  const block = Buffer.alloc(136);
  block.write(text, 'latin1');
  block[text.length] = 0x01;
  block[135] = (block[135] ?? 0) | 0x80;
  const lanes = Array.from({ length: 25 }, (_, index) =>
    index < 17 ? block.readBigUInt64LE(index * 8) : 0n,
  );
  permute(lanes);
  const digest = Buffer.alloc(32);
  for (let index = 0; index < 4; index += 1) digest.writeBigUInt64LE(lanes[index] ?? 0n, index * 8);
  return digest.toString('hex');
}
