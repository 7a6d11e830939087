import { type IsolationBench, noResponse } from './bench.ts';
import { conditionsIn, withoutCondition } from './conditions.ts';

/** The outcome of one mutation. */
export interface Outcome {
  description: string;
  /** The number of probes that ran. */
  probes: number;
  /** The probes that saw a difference, and the difference. */
  differences: string[];
  /** The probes without a response in time, which prove nothing. */
  timedOut: string[];
}

/** Whether all probes got a response, and none saw a difference. */
export const isIsolated = ({ differences: seen, timedOut: silent }: Outcome): boolean =>
  seen.length === 0 && silent.length === 0;

/** A condition of a statement that the probes send. */
interface Mutation {
  text: string;
  mutant: string;
  description: string;
}

type BenchProbe = IsolationBench['probes'][number];

/** Number of probes for each mutation; those that cross the project boundary come first. */
const probesPerMutation = 8;

/** Every condition on `project_id` in every statement that the probes send. */
export function mutationsOf(bench: IsolationBench): Mutation[] {
  const texts = new Set(bench.probes.flatMap(({ expected }) => [...expected.recorded.texts]));
  return [...texts].sort().flatMap((text) =>
    conditionsIn(text).map((condition) => ({
      text,
      mutant: withoutCondition(text, condition),
      description: excerpt(text, condition.start),
    })),
  );
}

/** Removes conditions one by one. With row security, no probe may see a difference. */
export async function removeConditions(
  bench: IsolationBench,
  mutations: readonly Mutation[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, mutant, description: what } of mutations) {
    const affectedProbes = bench.probes.filter(({ expected }) => expected.recorded.texts.has(text));
    bench.tampering.replacements.set(text, mutant);
    outcomes.push(await run(bench, what, foreignFirst(affectedProbes).slice(0, probesPerMutation)));
    bench.tampering.replacements.delete(text);
  }
  return outcomes;
}

/**
 * Removes all conditions of a statement at once, for the given statements: one condition may hide
 * the effect of another that restricts the same rows.
 */
export async function removeConditionsTogether(
  bench: IsolationBench,
  mutations: readonly Mutation[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const text of new Set(mutations.map((one) => one.text))) {
    const mutant = conditionsIn(text).reduceRight(withoutCondition, text);
    const [outcome] = await removeConditions(bench, [
      { text, mutant, description: excerpt(text, 0) },
    ]);
    if (outcome) outcomes.set(text, outcome);
  }
  return outcomes;
}

/** The tables that row security protects. */
export async function tablesWithRowSecurity(bench: IsolationBench): Promise<string[]> {
  const rows = await bench.api.rows<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relrowsecurity AND relnamespace = 'public'::regnamespace AND NOT relispartition
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** Disables row security table by table. The conditions of the statements must be sufficient. */
export async function disableRowSecurity(
  bench: IsolationBench,
  tables: readonly string[],
  probesEachTable = Number.POSITIVE_INFINITY,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const table of tables) {
    const names = new RegExp(String.raw`\b${table}\b`);
    const affectedProbes = bench.probes.filter(({ expected }) =>
      [...expected.recorded.texts].some((text) => names.test(text)),
    );
    await withoutRowSecurity(bench, [table], async () => {
      outcomes.push(
        await run(bench, table, foreignFirst(affectedProbes).slice(0, probesEachTable)),
      );
    });
  }
  return outcomes;
}

/** Runs `work` while these tables have no row security. */
export async function withoutRowSecurity<T>(
  bench: IsolationBench,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const alterAll = (change: string) =>
    bench.api.rows(tables.map((table) => `ALTER TABLE "${table}" ${change};`).join('\n'));
  await alterAll('DISABLE ROW LEVEL SECURITY');
  try {
    return await work();
  } finally {
    await alterAll('ENABLE ROW LEVEL SECURITY');
  }
}

/** Runs all probes, as one outcome. */
export function runAll(bench: IsolationBench, description: string): Promise<Outcome> {
  return run(bench, description, bench.probes);
}

async function run(
  bench: IsolationBench,
  what: string,
  probes: readonly BenchProbe[],
): Promise<Outcome> {
  const seen: string[] = [];
  const silent: string[] = [];
  for (const one of probes) {
    const difference = await bench.findDifference(one);
    if (difference === noResponse) silent.push(one.probe.name);
    else if (difference !== null) seen.push(`${one.probe.name}: ${difference}`);
  }
  return { description: what, probes: probes.length, differences: seen, timedOut: silent };
}

function foreignFirst(probes: readonly BenchProbe[]): BenchProbe[] {
  const isForeign = ({ probe }: BenchProbe): boolean => probe.name.includes(': foreign');
  return [
    ...probes.filter(isForeign).slice(0, probesPerMutation / 2),
    ...probes.filter((one) => !isForeign(one)),
    ...probes.filter(isForeign).slice(probesPerMutation / 2),
  ];
}

function excerpt(text: string, at: number): string {
  const before = text.slice(0, at).replace(/\s+/g, ' ').slice(-90);
  return `${before}⟨${text.slice(at, at + 40).replace(/\s+/g, ' ')}⟩`;
}
