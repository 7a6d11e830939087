import type { TableRules } from '../rules/table-rules.ts';
import type { Rule } from '../types.ts';

/** The maximum distance between lines that touch, in points. */
const maxTouchDistance = 3;

/** Connected lines, horizontal and vertical. */
export type ConnectedRules = { across: Rule[]; down: Rule[] };

/** Returns the groups of lines that cross or touch. */
export function groupConnectedRules(rules: TableRules): ConnectedRules[] {
  const down = [...rules.down].sort((a, b) => a.at - b.at);
  const parent = Array.from({ length: rules.across.length + down.length }, (_, at) => at);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) {
      parent[top] = parent[parent[top] ?? top] ?? top;
      top = parent[top] ?? top;
    }
    return top;
  };
  let steps = 0;
  for (const [index, rule] of rules.across.entries()) {
    for (let at = firstAt(down, rule.from - maxTouchDistance); at < down.length; at += 1) {
      const other = down[at];
      steps += 1;
      if (!other || other.at > rule.to + maxTouchDistance || steps > 4_000_000) break;
      if (other.from - maxTouchDistance > rule.at || other.to + maxTouchDistance < rule.at)
        continue;
      parent[root(rules.across.length + at)] = root(index);
    }
  }
  const groups = new Map<number, ConnectedRules>();
  const group = (at: number): ConnectedRules => {
    const key = root(at);
    const found = groups.get(key) ?? { across: [], down: [] };
    groups.set(key, found);
    return found;
  };
  for (const [index, rule] of rules.across.entries()) group(index).across.push(rule);
  for (const [at, rule] of down.entries()) group(rules.across.length + at).down.push(rule);
  return [...groups.values()].filter((net) => net.across.length > 1 && net.down.length > 0);
}

/** Returns the index of the first of the sorted rules at or after `x`. */
function firstAt(rules: readonly Rule[], x: number): number {
  let low = 0;
  let high = rules.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rules[middle]?.at ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
