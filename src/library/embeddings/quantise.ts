/** The largest value of a component. */
const most = 127;

/** The signs of a vector, as Postgres writes bits: 1 for components above 0. */
export function signsOf(vector: readonly number[]): string {
  return vector.map((component) => (component > 0 ? '1' : '0')).join('');
}

/** A vector in signed bytes. The length of a vector does not matter for its direction. */
export function toBytes(vector: readonly number[]): Buffer {
  const largest = vector.reduce((max, component) => Math.max(max, Math.abs(component)), 0);
  const scale = largest > 0 ? most / largest : 0;
  const bytes = Int8Array.from(vector, (component) => Math.round(component * scale));
  return Buffer.from(bytes.buffer);
}

/** The cosine of the angle between a vector and one in bytes; 0 if either has no direction. */
export function cosine(vector: readonly number[], bytes: Buffer): number {
  const components = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  let product = 0;
  let first = 0;
  let second = 0;
  for (const [at, component] of components.entries()) {
    const other = vector[at] ?? 0;
    product += component * other;
    first += component * component;
    second += other * other;
  }
  return first === 0 || second === 0 ? 0 : product / Math.sqrt(first * second);
}
