import type { Plan } from './plan.ts';

/**
 * Removes steps from a failing plan as long as it still fails: first all faults, then halves, then
 * ever smaller parts (delta debugging). Limited, because every try is a run of the whole system.
 * @param fails whether a plan still breaks the same promise
 */
export async function shrink(
  plan: Plan,
  tries: number,
  fails: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
  let best = plan;
  let left = tries;
  const attempt = async (steps: Plan['steps']): Promise<boolean> => {
    if (left === 0 || steps.length === best.steps.length) return false;
    left -= 1;
    const candidate = { ...best, steps };
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  const isFault = ({ kind }: Plan['steps'][number]) => kind === 'fault';
  await attempt(best.steps.filter((step) => !isFault(step)));
  for (const kind of ['fault', 'request'] as const) {
    for (let parts = 2; left > 0; ) {
      const places = best.steps.flatMap((step, at) => (step.kind === kind ? [at] : []));
      if (places.length === 0 || parts > 2 * places.length) break;
      const size = Math.ceil(places.length / parts);
      let dropped = false;
      for (let from = 0; from < places.length && !dropped; from += size) {
        const without = new Set(places.slice(from, from + size));
        dropped = await attempt(best.steps.filter((_step, at) => !without.has(at)));
      }
      parts = dropped ? Math.max(2, parts - 1) : parts * 2;
    }
  }
  return best;
}
