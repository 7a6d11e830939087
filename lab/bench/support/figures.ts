/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A quantile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

/** Runs the arms in turn, round by round, so that drift affects all equally. */
export async function interleave<Arm extends string>(
  rounds: number,
  arms: Record<Arm, () => Promise<number>>,
): Promise<Record<Arm, number[]>> {
  const names = Object.keys(arms) as Arm[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Arm,
    number[]
  >;
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) {
      const value = await arms[name]();
      results[name].push(value);
      process.stderr.write(`  round ${round} ${name}: ${value.toFixed(1)}\n`);
    }
  }
  return results;
}

/** The ratio of two arms: the median of the ratios per round, with their range. */
export function ratio(numerators: readonly number[], denominators: readonly number[]): string {
  const ratios = numerators.map((value, at) => value / denominators[at]!);
  return `${median(ratios).toFixed(2)} [${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}]`;
}

/** Measures how busy the machine is: thousands of SHA-256 hashes of a fixed block per second. */
export async function calibrate(): Promise<number> {
  const { createHash } = await import('node:crypto');
  const block = Buffer.alloc(64 * 1024, 7);
  const start = process.hrtime.bigint();
  const iterations = 2_000;
  for (let at = 0; at < iterations; at++) createHash('sha256').update(block).digest();
  return iterations / (Number(process.hrtime.bigint() - start) / 1e9) / 1_000;
}
