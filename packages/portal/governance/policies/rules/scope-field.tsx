import type { PolicyScope } from '@scriptorium/contracts/wire/policies';
import { useList } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { CheckField, SelectField } from '../../../kit/fields/field.tsx';
import { ListFooter } from '../../../kit/list-footer.tsx';
import { Loading, ProblemNotice } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { ListField } from './list-field.tsx';

interface ScopeFieldProps {
  scope: PolicyScope;
  onChange: (scope: PolicyScope) => void;
  fault: (pointer: string) => string | undefined;
}

const initialScopes: Record<PolicyScope['type'], PolicyScope> = {
  project: { type: 'project' },
  collection: { type: 'collection', ids: [] },
  tag: { type: 'tag', tags: [] },
};

/** Selects the resources that a policy applies to. */
export function ScopeField({ scope, onChange, fault }: ScopeFieldProps) {
  return (
    <>
      <SelectField
        label="Scope"
        value={scope.type}
        options={[
          ['project', 'Everything in the project'],
          ['collection', 'Members of collections'],
          ['tag', 'Tagged resources'],
        ]}
        onChange={(value) => {
          if (value in initialScopes) onChange(initialScopes[value as PolicyScope['type']]);
        }}
      />
      {scope.type !== 'project' && (
        <p class="notice">
          Changing tags or members can remove resources from this policy. Only retention and legal
          holds stay in effect.
        </p>
      )}
      {scope.type === 'tag' && (
        <ListField
          label="Tags"
          hint="Matches resources with any of these tags, and outputs derived from them."
          fault={fault('/scope/tags')}
          values={scope.tags}
          onChange={(tags) => onChange({ type: 'tag', tags })}
        />
      )}
      {scope.type === 'collection' && (
        <CollectionPicker
          ids={scope.ids}
          fault={fault('/scope/ids')}
          onChange={(ids) => onChange({ type: 'collection', ids })}
        />
      )}
    </>
  );
}

/** Selects manual collections from their tree. */
function CollectionPicker(props: {
  ids: readonly string[];
  fault: string | undefined;
  onChange: (ids: string[]) => void;
}) {
  const { ids, fault, onChange } = props;
  const { can } = useSession();
  const canReadCollections = can('collections:read');
  const list = useList(
    canReadCollections
      ? requestFor('listCollections', { kind: 'manual', sort: 'name', limit: 200 })
      : null,
  );
  const listedIds = new Set(list.items.map(({ id }) => id));
  // In the order of the paths, each collection follows its parent.
  const tree = list.items
    .map((collection) => ({
      collection,
      sortKey: collection.path.map(({ name, id }) => `${name}\u0000${id}`).join('\u0001'),
    }))
    .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
  if (!canReadCollections) {
    return (
      <ListField
        label="Collections"
        hint="Enter collection IDs (col_…). Listing collections requires the scope collections:read."
        fault={fault}
        values={ids}
        onChange={onChange}
      />
    );
  }
  return (
    <fieldset class="policy-choices policy-tree">
      <legend>Collections, including nested ones</legend>
      <ProblemNotice problem={list.problem} />
      {list.loading && list.items.length === 0 && <Loading what="collections" />}
      {!list.loading && !list.problem && list.items.length === 0 && (
        <p class="soft">No manual collections</p>
      )}
      {tree.map(({ collection: { id, name, path } }) => (
        <div key={id} style={{ paddingLeft: `${(path.length - 1) * 1.25}rem` }}>
          <CheckField
            label={<bdi>{name}</bdi>}
            checked={ids.includes(id)}
            onChange={(checked) =>
              onChange(checked ? [...ids, id] : ids.filter((one) => one !== id))
            }
          />
        </div>
      ))}
      {ids
        .filter((id) => !listedIds.has(id) && !list.hasMore && !list.loading)
        .map((id) => (
          <CheckField
            key={id}
            label={<span class="mono">{id}</span>}
            hint={list.problem ? '' : 'Trashed or deleted'}
            checked
            onChange={() => onChange(ids.filter((one) => one !== id))}
          />
        ))}
      {list.hasMore && <ListFooter list={list} nouns={['collection', 'collections']} />}
      {fault && <span class="fault">{fault}</span>}
    </fieldset>
  );
}
