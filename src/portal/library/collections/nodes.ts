import type { CollectionRecord } from '../../../contracts/wire/collections.ts';

/** A collection in the tree. */
export interface Node {
  id: string;
  name: string;
  /** Null for one that is only known as a place that others are in. */
  record: CollectionRecord | null;
  parentId: string | null;
  children: Node[];
  /** 1 at the top. */
  level: number;
}

/** How deep collections may be nested; the service holds to it, the tree tells beforehand. */
export const deepest = 8;

/** The tree of collections, siblings by name; what was not loaded is known from the paths of others. */
export function treeOf(records: readonly CollectionRecord[]): Map<string, Node> {
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

/** The nodes that are seen, from top to bottom, with the expanded ones' children. */
export function visibleNodes(roots: readonly Node[], expanded: ReadonlySet<string>): Node[] {
  return roots.flatMap((node) => [
    node,
    ...(expanded.has(node.id) ? visibleNodes(node.children, expanded) : []),
  ]);
}

/** How many levels a branch has, itself included. */
export function heightOf(node: Node): number {
  return 1 + Math.max(0, ...node.children.map(heightOf));
}

/** Why a collection cannot stand in another one, or at the top (null); null when it can. */
export function whyNotIn(
  moving: Node,
  parent: Node | null,
  nodes: ReadonlyMap<string, Node>,
): string | null {
  if (moving.parentId === (parent?.id ?? null)) return 'It is there already.';
  for (let at = parent; at; at = at.parentId === null ? null : (nodes.get(at.parentId) ?? null)) {
    if (at.id !== moving.id) continue;
    return at === parent ? 'A collection cannot be inside itself.' : 'That is inside of it.';
  }
  const depth = (parent?.level ?? 0) + heightOf(moving);
  return depth > deepest ? `That would make ${depth} levels; ${deepest} are the most.` : null;
}

function byName(a: Node, b: Node): number {
  return a.name.localeCompare(b.name);
}
