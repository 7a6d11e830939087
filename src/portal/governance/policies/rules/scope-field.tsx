import type { PolicyScope } from '../../../../contracts/wire/policies.ts';
import { useList } from '../../../api/hooks.ts';
import { CheckField, SelectField } from '../../../kit/field.tsx';
import { More } from '../../../kit/more.tsx';
import { Loading, ProblemNotice } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { listCollections } from '../requests.ts';
import { ListField } from './list-field.tsx';

interface ScopeProps {
  scope: PolicyScope;
  onChange: (scope: PolicyScope) => void;
  fault: (pointer: string) => string | undefined;
}

const starts: Record<PolicyScope['type'], PolicyScope> = {
  project: { type: 'project' },
  collection: { type: 'collection', ids: [] },
  tag: { type: 'tag', tags: [] },
};

/** Which resources a policy is about. */
export function ScopeField({ scope, onChange, fault }: ScopeProps) {
  return (
    <>
      <SelectField
        label="About"
        value={scope.type}
        options={[
          ['project', 'Everything in the project'],
          ['collection', 'What is in collections'],
          ['tag', 'What has tags'],
        ]}
        onChange={(value) => {
          if (value in starts) onChange(starts[value as PolicyScope['type']]);
        }}
      />
      {scope.type !== 'project' && (
        <p class="notice">
          Who may change tags or members takes things out of this policy. Only retention and legal
          holds stay with what once was in it.
        </p>
      )}
      {scope.type === 'tag' && (
        <ListField
          label="Tags"
          hint="What has one of these, and what was made from it."
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

/** Manual collections as they lie in each other. */
function CollectionPicker(props: {
  ids: readonly string[];
  fault: string | undefined;
  onChange: (ids: string[]) => void;
}) {
  const { ids, fault, onChange } = props;
  const { can } = useSession();
  const sees = can('collections:read');
  const list = useList(sees ? listCollections() : null);
  const known = new Set(list.items.map(({ id }) => id));
  // By their paths, so that each stands under its parent.
  const tree = list.items
    .map((collection) => ({
      collection,
      place: collection.path.map(({ name, id }) => `${name}\u0000${id}`).join('\u0001'),
    }))
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  if (!sees) {
    return (
      <ListField
        label="Collections"
        hint="This key may not list collections (collections:read): give their identifiers, col_…."
        fault={fault}
        values={ids}
        onChange={onChange}
      />
    );
  }
  return (
    <fieldset class="policy-choices policy-tree">
      <legend>Collections, with all below them</legend>
      <ProblemNotice problem={list.problem} />
      {list.loading && list.items.length === 0 && <Loading what="collections" />}
      {!list.loading && list.items.length === 0 && (
        <p class="soft">There is no manual collection in this project.</p>
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
        .filter((id) => !known.has(id) && !list.hasMore && !list.loading)
        .map((id) => (
          <CheckField
            key={id}
            label={<span class="mono">{id}</span>}
            hint="In the trash, or gone."
            checked
            onChange={() => onChange(ids.filter((one) => one !== id))}
          />
        ))}
      {list.hasMore && <More list={list} noun="collections" />}
      {fault && <span class="fault">{fault}</span>}
    </fieldset>
  );
}
