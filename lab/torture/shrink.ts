import type { Plan } from './plan.ts';

/**
 * Removes steps from a failing plan as long as it still fails: first all faults, then halves, then
 * ever smaller parts (delta debugging). Limited, because every try is a run of the whole system.
 * @param isFailing whether a plan still breaks the same promise
 */
export async function shrink(
  plan: Plan,
  tries: number,
  isFailing: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
  let best = plan;
  let remaining = tries;
  const attempt = async (steps: Plan['steps']): Promise<boolean> => {
    if (remaining === 0 || steps.length === best.steps.length) return false;
    remaining -= 1;
    const candidate = { ...best, steps };
    if (!(await isFailing(candidate))) return false;
    best = candidate;
    return true;
  };
  const isFault = ({ kind }: Plan['steps'][number]) => kind === 'fault';
  await attempt(best.steps.filter((step) => !isFault(step)));
  for (const kind of ['fault', 'request'] as const) {
    for (let partCount = 2; remaining > 0; ) {
      const stepIndexes = best.steps.flatMap((step, at) => (step.kind === kind ? [at] : []));
      if (stepIndexes.length === 0 || partCount > 2 * stepIndexes.length) break;
      const size = Math.ceil(stepIndexes.length / partCount);
      let isDropped = false;
      for (let from = 0; from < stepIndexes.length && !isDropped; from += size) {
        const droppedIndexes = new Set(stepIndexes.slice(from, from + size));
        isDropped = await attempt(best.steps.filter((_step, at) => !droppedIndexes.has(at)));
      }
      partCount = isDropped ? Math.max(2, partCount - 1) : partCount * 2;
    }
  }
  return best;
}
