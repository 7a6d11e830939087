import type { ListedCollection } from '@scriptorium/contracts/wire/library/collections';

/** A collection in the tree. */
export interface Node {
  id: string;
  name: string;
  /** Null if it is only known as an ancestor of another collection. */
  record: ListedCollection | null;
  parentId: string | null;
  children: Node[];
  /** 1 at the top level. */
  level: number;
}

/** The maximum depth, also enforced by the service. */
const maxDepth = 8;

/**
 * Returns the tree of collections, siblings sorted by name. Ancestors that are not loaded come from
 * the paths.
 */
export function treeOf(records: readonly ListedCollection[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  for (const { path } of records) {
    for (const [at, { id, name }] of path.entries()) {
      const parentId = path[at - 1]?.id ?? null;
      if (!nodes.has(id)) {
        nodes.set(id, { id, name, record: null, parentId, children: [], level: at + 1 });
      }
    }
  }
  for (const record of records) nodes.get(record.id)!.record = record;
  for (const node of nodes.values()) {
    if (node.parentId !== null) nodes.get(node.parentId)?.children.push(node);
  }
  for (const node of nodes.values()) node.children.sort(byName);
  return nodes;
}

export function rootsOf(nodes: ReadonlyMap<string, Node>): Node[] {
  return [...nodes.values()].filter(({ parentId }) => parentId === null).sort(byName);
}

/** Returns the visible nodes, from top to bottom: those whose ancestors are all expanded. */
export function visibleNodes(roots: readonly Node[], expanded: ReadonlySet<string>): Node[] {
  return roots.flatMap((node) => [
    node,
    ...(expanded.has(node.id) ? visibleNodes(node.children, expanded) : []),
  ]);
}

/** Returns the number of levels of a branch, including the node itself. */
function heightOf(node: Node): number {
  return 1 + Math.max(0, ...node.children.map(heightOf));
}

/** Why a collection cannot move into `parent` (null: the top level); null if it can. */
export function whyNotIn(
  moving: Node,
  parent: Node | null,
  nodes: ReadonlyMap<string, Node>,
): string | null {
  if (moving.parentId === (parent?.id ?? null)) return 'Current location';
  for (let at = parent; at; at = at.parentId === null ? null : (nodes.get(at.parentId) ?? null)) {
    if (at.id !== moving.id) continue;
    return at === parent ? 'This collection' : 'Inside this collection';
  }
  const depth = (parent?.level ?? 0) + heightOf(moving);
  return depth > maxDepth ? `Too deep: the maximum is ${maxDepth} levels` : null;
}

function byName(a: Node, b: Node): number {
  return a.name.localeCompare(b.name);
}
