import { useEffect } from 'preact/hooks';
import { faultAt, SelectField } from '../../../kit/fields/field.tsx';
import { Loading, ProblemState } from '../../../kit/states.tsx';
import type { Node } from '../../../library/collections/nodes.ts';
import { useCollections } from '../../../library/collections/use-collections.ts';
import type { SourceProps } from '../source.tsx';

/** Selects a collection. Its name is that of the pack until another is entered. */
export function CollectionSource({ draft, onChange, problem }: SourceProps) {
  const { nodes, loading, problem: broken, reload } = useCollections();
  const chosen = nodes.get(draft.collectionId);
  useEffect(() => {
    if (chosen && draft.name === '') onChange({ name: chosen.name });
  }, [chosen]);
  if (broken) return <ProblemState problem={broken} onRetry={reload} />;
  if (loading) return <Loading what="collections" lines={1} />;
  const known = [...nodes.values()]
    .filter(({ record }) => record !== null)
    .map((node) => [node.id, pathOf(node, nodes)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
  const isUnknown = draft.collectionId !== '' && !chosen;
  return (
    <SelectField
      label="Collection"
      value={draft.collectionId}
      fault={faultAt(problem, '/source/collection_id')}
      onChange={(collectionId) => {
        const name = nodes.get(collectionId)?.name ?? '';
        const isOwn = draft.name !== '' && draft.name !== chosen?.name;
        onChange({ collectionId, ...(isOwn ? {} : { name }) });
      }}
      options={[
        ['', 'Select a collection'],
        ...(isUnknown ? [[draft.collectionId, draft.collectionId] as const] : []),
        ...known,
      ]}
    />
  );
}

function pathOf(node: Node, nodes: ReadonlyMap<string, Node>): string {
  const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
  return parent ? `${pathOf(parent, nodes)} / ${node.name}` : node.name;
}
