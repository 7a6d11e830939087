import { type ProcessGroups, watchCpu } from './cpu.ts';
import { median, percentile, ratio } from './figures.ts';

/** The outcome of one turn of an arm. */
interface Turn {
  operations: number;
  /** Operations per second. */
  rate: number;
  /** The duration of each operation in milliseconds; empty if not measured. */
  latencies?: readonly number[];
}

/** The measurements of an arm in one round. */
export interface Sample {
  rate: number;
  p50: number;
  p99: number;
  /** CPU milliseconds per operation, by process. */
  cpu: Record<string, number>;
}

/** One way to do the work, and the processes it uses. */
export interface Arm {
  processes: ProcessGroups;
  /** Preparation before a turn, not measured. */
  prepare?(): Promise<void>;
  run(): Promise<Turn>;
}

export type Samples<Name extends string> = Record<Name, Sample[]>;

/**
 * Runs the arms one after the other in rounds, each of which starts with the next arm, so that
 * drift and after-effects affect all equally. `ARMS` selects arms by parts of their names,
 * separated by commas; an arm that is null cannot run here.
 */
export async function interleaveArms<Name extends string>(
  rounds: number,
  arms: Record<Name, Arm | null>,
): Promise<Samples<Name>> {
  const selectedParts = process.env.ARMS?.split(',');
  const all = Object.keys(arms) as Name[];
  const names = all.filter(
    (name) => arms[name] && (!selectedParts || selectedParts.some((part) => name.includes(part))),
  );
  const samples = Object.fromEntries(all.map((name) => [name, [] as Sample[]])) as Samples<Name>;
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      const sample = await measure(arms[name]!);
      samples[name].push(sample);
      process.stderr.write(`  round ${round + 1} ${name}: ${formatSample(sample)}\n`);
    }
  }
  return samples;
}

async function measure({ processes: watched, prepare, run }: Arm): Promise<Sample> {
  await prepare?.();
  const stopCpuWatch = watchCpu(watched);
  const { operations, rate, latencies = [] } = await run();
  const cpu = Object.entries(stopCpuWatch()).map(([name, ms]) => [name, ms / operations]);
  const latencyAt = (share: number) =>
    latencies.length ? percentile(latencies, share) : Number.NaN;
  return { rate, p50: latencyAt(0.5), p99: latencyAt(0.99), cpu: Object.fromEntries(cpu) };
}

/** The medians of an arm's rounds. */
function mediansOf(samples: readonly Sample[]): Sample {
  const medianOf = (value: (sample: Sample) => number) => median(samples.map(value));
  const names = Object.keys(samples[0]!.cpu);
  return {
    rate: medianOf((sample) => sample.rate),
    p50: medianOf((sample) => sample.p50),
    p99: medianOf((sample) => sample.p99),
    cpu: Object.fromEntries(names.map((name) => [name, medianOf((sample) => sample.cpu[name]!)])),
  };
}

function formatSample({ rate, p50, p99, cpu }: Sample): string {
  const times = Number.isNaN(p50) ? '' : `, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  const cpuTexts = Object.entries(cpu).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `${rate.toFixed(0)} per second${times}; CPU ms each: ${cpuTexts.join(', ')}`;
}

/** Prints the medians of an arm, with the range of its rates. Prints nothing if the arm did not run. */
export function printArm(title: string, samples: readonly Sample[]): void {
  if (samples.length === 0) return;
  const rates = samples.map(({ rate }) => rate);
  const range = `[${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}]`;
  console.log(`${title.padEnd(44)} ${formatSample(mediansOf(samples))} ${range}`);
}

/** Prints the ratio of two arms, if both ran. */
export function printRatio(
  title: string,
  numerator: readonly Sample[],
  denominator: readonly Sample[],
  figure: 'rate' | 'p50' | 'p99' = 'rate',
): void {
  if (numerator.length === 0 || denominator.length === 0) return;
  const values = (samples: readonly Sample[]) => samples.map((sample) => sample[figure]);
  console.log(`ratio, ${title}: ${ratio(values(numerator), values(denominator))}`);
}

/** Prints the ratio of two arms' CPU per operation, over all processes. */
export function printCpuRatio(
  title: string,
  numerator: readonly Sample[],
  denominator: readonly Sample[],
): void {
  if (numerator.length === 0 || denominator.length === 0) return;
  const sums = (samples: readonly Sample[]) =>
    samples.map(({ cpu }) => Object.values(cpu).reduce((sum, ms) => sum + ms, 0));
  console.log(`ratio of CPU, ${title}: ${ratio(sums(numerator), sums(denominator))}`);
}
