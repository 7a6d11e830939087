import type { Memory, Target } from './target.ts';

interface Sample extends Memory {
  /** How many requests had been sent. */
  requests: number;
}

const sampleIntervalMs = 2_000;

/** The memory of the API's process over a run. */
export class MemoryWatch {
  /** One value for each window: the minimum heap, because garbage comes and goes. */
  readonly windows: Sample[] = [];
  private current: Sample | null = null;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly target: Target,
    private readonly requests: () => number,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.reading = this.read().catch(() => undefined);
    }, sampleIntervalMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.reading;
  }

  /** Ends a window. */
  async endWindow(): Promise<Sample> {
    if (!this.current) await this.read();
    const window = this.current!;
    this.windows.push(window);
    this.current = null;
    return window;
  }

  private async read(): Promise<void> {
    const { resident, heap } = await this.target.memory();
    const min = Math.min(heap, this.current?.heap ?? heap);
    this.current = { requests: this.requests(), resident, heap: min };
  }
}

/** The slope of a measure over the last two thirds of the windows, in MiB per 100,000 requests. */
export function slopeOf(windows: readonly Sample[], measure: keyof Memory): number | null {
  const last = windows.slice(Math.floor(windows.length / 3));
  if (last.length < 3) return null;
  const mean = (of: (one: Sample) => number): number =>
    last.reduce((sum, one) => sum + of(one), 0) / last.length;
  const [x, y] = [mean((one) => one.requests), mean((one) => one[measure])];
  const variance = last.reduce((sum, one) => sum + (one.requests - x) ** 2, 0);
  const covariance = last.reduce((sum, one) => sum + (one.requests - x) * (one[measure] - y), 0);
  return (covariance / variance) * 100_000;
}
