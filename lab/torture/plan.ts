import { createPick } from '../../test/support/random.ts';
import { type ActionName, actionWeights } from './actions/index.ts';
import { type FaultName, faultNames, faultWeights } from './faults.ts';

/** A request that a client makes. The request follows from `dice` and the client's resources. */
interface RequestStep {
  kind: 'request';
  client: number;
  deed: ActionName;
  dice: number;
}

/** A fault that begins when the previous requests have been passed to their clients. */
interface FaultStep {
  kind: 'fault';
  fault: FaultName;
  dice: number;
}

/**
 * A run, in full. Each step has its own random choices, so dropping steps leaves the others
 * unchanged.
 */
export interface Plan {
  seed: number;
  clients: number;
  steps: (RequestStep | FaultStep)[];
}

/**
 * The faults in a comma-separated list, or all.
 * @throws Error if a name is unknown
 */
export function readKinds(list: string | undefined): readonly FaultName[] {
  const names = list?.split(',');
  const unknown = names?.find((name) => !faultNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(`Unknown fault '${unknown}'. Expected some of: ${faultNames.join(', ')}.`);
  return faultNames.filter((name) => names?.includes(name) ?? true);
}

interface PlanSize {
  requests: number;
  faults: number;
  clients: number;
  /** Default: all kinds. */
  kinds?: readonly FaultName[];
}

/** The plan for a seed. Faults are spread over the requests, with none before the first few. */
export function makePlan(seed: number, { requests, faults, clients, kinds }: PlanSize): Plan {
  const pick = createPick(seed + 1);
  const dice = () => pick(1_000_000);
  const steps: Plan['steps'] = [];
  for (let at = 0; at < requests; at += 1) {
    // The first requests create resources that later ones can change.
    const deed = at < clients * 2 ? 'upload' : pickWeighted(actionWeights, pick);
    steps.push({ kind: 'request', client: at % clients, deed, dice: dice() });
  }
  const selectedWeights = Object.fromEntries(
    Object.entries(faultWeights).filter(([name]) => !kinds || kinds.some((kind) => kind === name)),
  ) as Partial<Record<FaultName, number>>;
  const firstPosition = Math.min(clients * 2, requests);
  for (let at = 0; at < faults; at += 1) {
    const position = firstPosition + pick(steps.length - firstPosition + 1);
    steps.splice(position, 0, {
      kind: 'fault',
      fault: pickWeighted(selectedWeights, pick),
      dice: dice(),
    });
  }
  return { seed, clients, steps };
}

function pickWeighted<Name extends string>(
  weights: Readonly<Partial<Record<Name, number>>>,
  pick: (below: number) => number,
): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let remaining = pick(entries.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [name, weight] of entries) {
    remaining -= weight;
    if (remaining < 0) return name;
  }
  throw new Error('Nothing to choose from.');
}
