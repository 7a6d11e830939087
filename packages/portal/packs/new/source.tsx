import { useEffect } from 'preact/hooks';
import type { ApiProblem } from '../../api/request.ts';
import { faultAt, SelectField } from '../../kit/fields/field.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import type { CollectionNode } from '../../library/collections/nodes.ts';
import { useCollections } from '../../library/collections/use-collections.ts';
import { useSession } from '../../shell/session.tsx';
import type { PackDraft, SourceKind } from './draft.ts';
import { FilterSource } from './sources/filter.tsx';
import { ObjectsSource } from './sources/objects.tsx';

export interface SourceProps {
  draft: PackDraft;
  onChange: (changes: Partial<PackDraft>) => void;
  problem: ApiProblem | undefined;
}

const kindOptions: readonly (readonly [SourceKind, string])[] = [
  ['collection', 'A collection'],
  ['objects', 'Selected objects'],
  ['filter', 'All objects that match a filter'],
];

/** The source of a pack. */
export function SourceFields(props: SourceProps) {
  const { draft, onChange, problem } = props;
  const { can } = useSession();
  const fault = faultAt(problem, '/source');
  return (
    <section class="card stack" aria-labelledby="packs-source">
      <h2 id="packs-source">Documents</h2>
      <SelectField
        label="Source"
        hint="The list of documents is fixed when the pack is created."
        fault={fault}
        value={draft.kind}
        onChange={(chosen) => {
          const kind = kindOptions.find(([one]) => one === chosen)?.[0];
          if (kind) onChange({ kind });
        }}
        options={kindOptions.filter(
          ([kind]) => kind !== 'collection' || can('collections:read') || draft.kind === kind,
        )}
      />
      {draft.kind === 'collection' && <CollectionSource {...props} />}
      {draft.kind === 'objects' && <ObjectsSource {...props} />}
      {draft.kind === 'filter' && <FilterSource {...props} />}
    </section>
  );
}

/** Selects a collection. The pack has the same name until another one is entered. */
function CollectionSource({ draft, onChange, problem }: SourceProps) {
  const { nodes, loading, problem: collectionsProblem, reload } = useCollections();
  const selectedNode = nodes.get(draft.collectionId);
  useEffect(() => {
    if (selectedNode && draft.name === '') onChange({ name: selectedNode.name });
  }, [selectedNode]);
  if (collectionsProblem) return <ProblemState problem={collectionsProblem} onRetry={reload} />;
  if (loading) return <Loading what="collections" lines={1} />;
  const collectionOptions = [...nodes.values()]
    .filter(({ record }) => record !== null)
    .map((node) => [node.id, displayPath(node, nodes)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
  const isUnknown = draft.collectionId !== '' && !selectedNode;
  return (
    <SelectField
      label="Collection"
      value={draft.collectionId}
      fault={faultAt(problem, '/source/collection_id')}
      onChange={(collectionId) => {
        const name = nodes.get(collectionId)?.name ?? '';
        const isCustomName = draft.name !== '' && draft.name !== selectedNode?.name;
        onChange({ collectionId, ...(isCustomName ? {} : { name }) });
      }}
      options={[
        ['', 'Select a collection'],
        ...(isUnknown ? [[draft.collectionId, draft.collectionId] as const] : []),
        ...collectionOptions,
      ]}
    />
  );
}

function displayPath(node: CollectionNode, nodes: ReadonlyMap<string, CollectionNode>): string {
  const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
  return parent ? `${displayPath(parent, nodes)} / ${node.name}` : node.name;
}
