import { type IsolationBench, noAnswer } from './bench.ts';
import { conditionsIn, without } from './conditions.ts';

/** The outcome of one mutation. */
export interface Outcome {
  what: string;
  /** The number of probes that ran. */
  probes: number;
  /** The probes that saw a difference, and the difference. */
  seen: string[];
  /** The probes without a response in time, which prove nothing. */
  silent: string[];
}

/** Whether all probes got a response, and none saw a difference. */
export const held = ({ seen, silent }: Outcome): boolean =>
  seen.length === 0 && silent.length === 0;

/** A condition of a statement that the probes send. */
interface Mutation {
  text: string;
  mutant: string;
  what: string;
}

type ProbeOf = IsolationBench['probes'][number];

/** Number of probes for each mutation; those that cross the project boundary come first. */
const probesEach = 8;

/** Every condition on `project_id` in every statement that the probes send. */
export function mutationsOf(bench: IsolationBench): Mutation[] {
  const texts = new Set(bench.probes.flatMap(({ expected }) => [...expected.overheard.texts]));
  return [...texts].sort().flatMap((text) =>
    conditionsIn(text).map((condition) => ({
      text,
      mutant: without(text, condition),
      what: excerpt(text, condition.start),
    })),
  );
}

/** Removes conditions one by one. With row security, no probe may see a difference. */
export async function takeOut(
  bench: IsolationBench,
  mutations: readonly Mutation[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, mutant, what } of mutations) {
    const users = bench.probes.filter(({ expected }) => expected.overheard.texts.has(text));
    bench.tampering.instead.set(text, mutant);
    outcomes.push(await run(bench, what, foreignFirst(users).slice(0, probesEach)));
    bench.tampering.instead.delete(text);
  }
  return outcomes;
}

/**
 * Removes all conditions of a statement at once, for the given statements: one condition may hide
 * the effect of another that restricts the same rows.
 */
export async function takeOutTogether(
  bench: IsolationBench,
  mutations: readonly Mutation[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const text of new Set(mutations.map((one) => one.text))) {
    const mutant = conditionsIn(text).reduceRight(without, text);
    const [outcome] = await takeOut(bench, [{ text, mutant, what: excerpt(text, 0) }]);
    if (outcome) outcomes.set(text, outcome);
  }
  return outcomes;
}

/** The tables that row security protects. */
export async function walledTables(bench: IsolationBench): Promise<string[]> {
  const rows = await bench.api.rows<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relrowsecurity AND relnamespace = 'public'::regnamespace AND NOT relispartition
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** Disables row security table by table. The conditions of the statements must be sufficient. */
export async function liftWalls(
  bench: IsolationBench,
  tables: readonly string[],
  probesEachTable = Number.POSITIVE_INFINITY,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const table of tables) {
    const names = new RegExp(String.raw`\b${table}\b`);
    const users = bench.probes.filter(({ expected }) =>
      [...expected.overheard.texts].some((text) => names.test(text)),
    );
    await withoutWalls(bench, [table], async () => {
      outcomes.push(await run(bench, table, foreignFirst(users).slice(0, probesEachTable)));
    });
  }
  return outcomes;
}

/** Runs `work` while these tables have no row security. */
export async function withoutWalls<T>(
  bench: IsolationBench,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const all = (change: string) =>
    bench.api.rows(tables.map((table) => `ALTER TABLE "${table}" ${change};`).join('\n'));
  await all('DISABLE ROW LEVEL SECURITY');
  try {
    return await work();
  } finally {
    await all('ENABLE ROW LEVEL SECURITY');
  }
}

/** Runs all probes, as one outcome. */
export function runAll(bench: IsolationBench, what: string): Promise<Outcome> {
  return run(bench, what, bench.probes);
}

async function run(
  bench: IsolationBench,
  what: string,
  probes: readonly ProbeOf[],
): Promise<Outcome> {
  const seen: string[] = [];
  const silent: string[] = [];
  for (const one of probes) {
    const difference = await bench.differs(one);
    if (difference === noAnswer) silent.push(one.probe.name);
    else if (difference !== null) seen.push(`${one.probe.name}: ${difference}`);
  }
  return { what, probes: probes.length, seen, silent };
}

function foreignFirst(probes: readonly ProbeOf[]): ProbeOf[] {
  const isForeign = ({ probe }: ProbeOf): boolean => probe.name.includes(': foreign');
  return [
    ...probes.filter(isForeign).slice(0, probesEach / 2),
    ...probes.filter((one) => !isForeign(one)),
    ...probes.filter(isForeign).slice(probesEach / 2),
  ];
}

function excerpt(text: string, at: number): string {
  const before = text.slice(0, at).replace(/\s+/g, ' ').slice(-90);
  return `${before}⟨${text.slice(at, at + 40).replace(/\s+/g, ' ')}⟩`;
}
