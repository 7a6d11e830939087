import type { ListedCollection } from '@scriptorium/contracts/wire/library/collections';

/** A collection in the tree. */
export interface CollectionNode {
  id: string;
  name: string;
  /** Null if it is only known as an ancestor of another collection. */
  record: ListedCollection | null;
  parentId: string | null;
  children: CollectionNode[];
  /** 1 at the top level. */
  level: number;
}

/** The maximum depth, also enforced by the service. */
const maxDepth = 8;

/**
 * Returns the tree of collections, siblings sorted by name. Ancestors that are not loaded come from
 * the paths.
 */
export function treeOf(records: readonly ListedCollection[]): Map<string, CollectionNode> {
  const nodes = new Map<string, CollectionNode>();
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

export function rootsOf(nodes: ReadonlyMap<string, CollectionNode>): CollectionNode[] {
  return [...nodes.values()].filter(({ parentId }) => parentId === null).sort(byName);
}

/** Returns the visible nodes, from top to bottom: those whose ancestors are all expanded. */
export function visibleNodes(
  roots: readonly CollectionNode[],
  expanded: ReadonlySet<string>,
): CollectionNode[] {
  return roots.flatMap((node) => [
    node,
    ...(expanded.has(node.id) ? visibleNodes(node.children, expanded) : []),
  ]);
}

/** Returns the number of levels of a branch, including the node itself. */
function heightOf(node: CollectionNode): number {
  return 1 + Math.max(0, ...node.children.map(heightOf));
}

/** Returns why a collection cannot move into `parent` (null: the top level); null if it can. */
export function whyCannotMove(
  node: CollectionNode,
  parent: CollectionNode | null,
  nodes: ReadonlyMap<string, CollectionNode>,
): string | null {
  if (node.parentId === (parent?.id ?? null)) return 'Current location';
  for (
    let ancestor = parent;
    ancestor;
    ancestor = ancestor.parentId === null ? null : (nodes.get(ancestor.parentId) ?? null)
  ) {
    if (ancestor.id !== node.id) continue;
    return ancestor === parent ? 'This collection' : 'Inside this collection';
  }
  const depth = (parent?.level ?? 0) + heightOf(node);
  return depth > maxDepth ? `Too deep: the maximum is ${maxDepth} levels` : null;
}

function byName(a: CollectionNode, b: CollectionNode): number {
  return a.name.localeCompare(b.name);
}
