/** Finds many patterns in one pass over a text (Aho and Corasick, 1975). */
interface Automaton {
  /**
   * Calls `onMatch` with the index of the pattern and the exclusive end of each match, in order of
   * their ends. Stops when `onMatch` returns true.
   */
  scan(units: ArrayLike<number>, onMatch: (pattern: number, end: number) => boolean): void;
}

/**
 * Builds the automaton in time and space linear in the total length of the patterns. Of equal
 * patterns, the first is reported. An empty pattern is never found.
 */
export function createAutomaton(patterns: readonly string[]): Automaton {
  const maxNodes = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
  // A trie, stored as the first child and the next sibling of each node. The children of the root,
  // node 0, are in a separate table.
  const firstChild = new Int32Array(maxNodes);
  const sibling = new Int32Array(maxNodes);
  const symbol = new Uint16Array(maxNodes);
  const patternAt = new Int32Array(maxNodes).fill(-1);
  const root = new Int32Array(0x10000);
  const order: number[] = [];
  let nodes = 1;

  const childOf = (node: number, unit: number): number => {
    if (node === 0) return root[unit] ?? 0;
    let child = firstChild[node] ?? 0;
    while (child !== 0 && symbol[child] !== unit) child = sibling[child] ?? 0;
    return child;
  };
  patterns.forEach((pattern, index) => {
    let node = 0;
    for (let at = 0; at < pattern.length; at += 1) {
      const unit = pattern.charCodeAt(at);
      let child = childOf(node, unit);
      if (child === 0) {
        child = nodes;
        nodes += 1;
        symbol[child] = unit;
        if (node === 0) {
          root[unit] = child;
          order.push(child);
        } else {
          sibling[child] = firstChild[node] ?? 0;
          firstChild[node] = child;
        }
      }
      node = child;
    }
    if (node !== 0 && patternAt[node] === -1) patternAt[node] = index;
  });

  const fallback = new Int32Array(nodes);
  /** For each node, the nearest node on its fallback chain at which a pattern ends. */
  const nextEnding = new Int32Array(nodes);
  for (const node of order) {
    for (let child = firstChild[node] ?? 0; child !== 0; child = sibling[child] ?? 0) {
      order.push(child);
      const unit = symbol[child] ?? 0;
      let fallbackNode = fallback[node] ?? 0;
      while (fallbackNode !== 0 && childOf(fallbackNode, unit) === 0)
        fallbackNode = fallback[fallbackNode] ?? 0;
      const target = childOf(fallbackNode, unit);
      fallback[child] = target;
      nextEnding[child] = (patternAt[target] ?? -1) >= 0 ? target : (nextEnding[target] ?? 0);
    }
  }

  return {
    scan(units, onMatch) {
      let node = 0;
      for (let at = 0; at < units.length; at += 1) {
        const unit = units[at] ?? 0;
        // Most text does not start a pattern, so the search stays at the root most of the time.
        if (node === 0) {
          node = root[unit] ?? 0;
          if (node === 0) continue;
        } else {
          let next = childOf(node, unit);
          while (next === 0 && node !== 0) {
            node = fallback[node] ?? 0;
            next = childOf(node, unit);
          }
          node = next;
        }
        let end = (patternAt[node] ?? -1) >= 0 ? node : (nextEnding[node] ?? 0);
        while (end !== 0) {
          if (onMatch(patternAt[end] ?? 0, at + 1)) return;
          end = nextEnding[end] ?? 0;
        }
      }
    },
  };
}
