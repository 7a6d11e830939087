import { median, ratio } from '../figures.ts';
import type { Costs, ProcessKind, UnitCosts } from './costs.ts';
import { type Amounts, limitsOnOneMachine } from './model.ts';
import type { RunTurn, Turn } from './turns.ts';
import { availableCores, describeLimits } from './watch.ts';

/**
 * The rows of the throughput table: the work of one operation, and the kind of process that is
 * counted.
 */
export const rows = {
  read: { amounts: { read: 1 }, counted: 'api' },
  write: { amounts: { write: 1 }, counted: 'api' },
  number: { amounts: { number: 1 }, counted: 'relay' },
  number_and_fan_out: { amounts: { number: 1, fan_out: 1 }, counted: 'relay' },
  deliver: { amounts: { deliver: 1 }, counted: 'webhooks' },
  ocr: { amounts: { ocr: 1 }, counted: 'ocr' },
  normalize: { amounts: { normalize: 1 }, counted: 'normalize' },
  redact: { amounts: { redact: 1 }, counted: 'redact' },
  classify: { amounts: { classify: 1 }, counted: 'classify' },
} as const satisfies Record<string, { amounts: Amounts; counted: ProcessKind }>;
export type RowName = keyof typeof rows;
export const rowNames = Object.keys(rows) as RowName[];

/** The turns of a row, by the number of processes. */
export type Turns = ReadonlyMap<number, readonly Turn[]>;

/** Runs all rows with all counts in turn, round after round. */
export async function runRows(
  rounds: number,
  counts: readonly number[],
  runs: ReadonlyMap<RowName, RunTurn>,
): Promise<Map<RowName, Turns>> {
  const turnsByRow = new Map(
    [...runs.keys()].map((name) => [name, new Map(counts.map((n) => [n, [] as Turn[]]))]),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const [name, run] of runs) {
      for (const n of counts) {
        const turn = await run(n);
        turnsByRow.get(name)?.get(n)?.push(turn);
        process.stderr.write(
          `  round ${round} ${name} ${n}: ${rateOf(turn).toFixed(1)} a second; ${describeLimits(turn.used)}\n`,
        );
      }
    }
  }
  return turnsByRow;
}

export const rateOf = ({ operations, used }: Turn): number => operations / used.seconds;

/** CPU milliseconds of an operation in processes of a kind. */
export const cpuOf = ({ operations, used }: Turn, kind: string): number =>
  (used.cpu[kind] ?? 0) / operations;

/** The measured rates of all rows, and those predicted for the cores that other programs left. */
export function compareRates(
  costs: UnitCosts,
  turnsByRow: ReadonlyMap<RowName, Turns>,
): Costs['rates'] {
  return [...turnsByRow].flatMap(([name, turns]) => {
    const { amounts, counted } = rows[name];
    const ratesOfOne = (turns.get(1) ?? []).map(rateOf);
    return [...turns].map(([n, samples]): Costs['rates'][number] => {
      const rates = samples.map(rateOf);
      const predict = (): Costs['rates'][number]['predicted'] => {
        const limits = samples.map(({ used }) => {
          const given = { cores: availableCores(used), processes: { [counted]: n } };
          return limitsOnOneMachine(costs, amounts, given)[0]!;
        });
        return {
          per_second: roundFigure(median(limits.map(({ perSecond }) => perSecond))),
          error: roundFigure(median(limits.map(({ perSecond }, at) => perSecond / rates[at]! - 1))),
          limit: limits[0]!.what,
        };
      };
      const medianTurn = samples.toSorted((a, b) => rateOf(a) - rateOf(b))[rates.length >> 1]!;
      return {
        work: name,
        processes: n,
        per_second: roundFigure(median(rates)),
        to_one: ratesOfOne.length === rates.length ? ratio(rates, ratesOfOne) : '–',
        ended: describeLimits(medianTurn.used),
        predicted: n === 1 ? null : predict(),
      };
    });
  });
}

/** Three digits of a figure. */
export const roundFigure = (value: number): number => Number(value.toPrecision(3));
