import type { ApiProblem } from '../../api/request.ts';
import { faultAt, SelectField } from '../../kit/fields/field.tsx';
import { useSession } from '../../shell/session.tsx';
import type { PackDraft, SourceKind } from './draft.ts';
import { CollectionSource } from './sources/collection.tsx';
import { FilterSource } from './sources/filter.tsx';
import { ObjectsSource } from './sources/objects.tsx';

export interface SourceProps {
  draft: PackDraft;
  onChange: (changes: Partial<PackDraft>) => void;
  problem: ApiProblem | undefined;
}

const kinds: readonly (readonly [SourceKind, string])[] = [
  ['collection', 'A collection'],
  ['objects', 'Selected objects'],
  ['filter', 'All objects that match a filter'],
];

/** What a pack is made of. */
export function Source(props: SourceProps) {
  const { draft, onChange, problem } = props;
  const { can } = useSession();
  const fault = faultAt(problem, '/source');
  return (
    <section class="card stack" aria-labelledby="packs-source">
      <h2 id="packs-source">Documents</h2>
      <SelectField
        label="Source"
        hint="The documents are determined once, when the pack is created."
        fault={fault}
        value={draft.kind}
        onChange={(chosen) => {
          const kind = kinds.find(([one]) => one === chosen)?.[0];
          if (kind) onChange({ kind });
        }}
        options={kinds.filter(
          ([kind]) => kind !== 'collection' || can('collections:read') || draft.kind === kind,
        )}
      />
      {draft.kind === 'collection' && <CollectionSource {...props} />}
      {draft.kind === 'objects' && <ObjectsSource {...props} />}
      {draft.kind === 'filter' && <FilterSource {...props} />}
    </section>
  );
}
