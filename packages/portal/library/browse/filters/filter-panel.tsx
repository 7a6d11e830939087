import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import { DialogButton } from '../../../kit/dialog.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { useSession } from '../../../shell/session.tsx';
import { CollectionDialog } from '../collection-dialog.tsx';
import type { ShownFacets } from '../results.ts';
import { Choices, Days, Sizes } from './facets.tsx';
import { type Changes, type Kind, mimeName } from './filters.ts';
import { isShown, showOf } from './kinds.ts';
import { TagFilter } from './tag-filter.tsx';

interface PanelProps {
  address: URLSearchParams;
  set: (changes: Changes) => void;
  kind: Kind;
  facets: ShownFacets | undefined;
  collectionName: string | undefined;
}

/** The filters; each change is applied to the address immediately. */
export const FilterPanel = memo(function FilterPanel(props: PanelProps) {
  const { address, set, facets } = props;
  const isImages = props.kind === 'images';
  return (
    <search class="browse-filters" aria-label="Filters">
      <TagFilter address={address} set={set} facet={facets?.tag} />
      <Choices
        title="Type"
        name="mime"
        facet={facets?.mime.filter(({ value: mime }) => isShown(showOf(address), mime))}
        say={mimeName}
        address={address}
        set={set}
      />
      {isImages && (
        <Choices
          title="Orientation"
          name="orientation"
          facet={facets?.orientation}
          say={(text) => text[0]!.toUpperCase() + text.slice(1)}
          address={address}
          set={set}
        />
      )}
      <MoreFilters key={props.kind} {...props} />
    </search>
  );
});

/** Filters with a text field, collapsed because they would separate the search from the results. */
const folded = [
  'untagged',
  'min_rating',
  'collection_id',
  'originals',
  'state',
  'created_after',
  'created_before',
  'captured_after',
  'captured_before',
  'min_width',
  'max_width',
  'min_height',
  'max_height',
  'min_bytes',
  'max_bytes',
];

function MoreFilters({ address, set, kind, collectionName }: PanelProps) {
  const isImages = kind === 'images';
  const value = (name: string): string => address.get(name) ?? '';
  const { can } = useSession();
  const [open, setOpen] = useState(() => folded.some((name) => address.has(name)));
  return (
    <details
      class="field-group browse-facet browse-more"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>More filters</summary>
      <div class="stack">
        {isImages ? (
          <>
            <SelectField
              label="Tag status"
              value={value('untagged')}
              onChange={(untagged) => set({ untagged })}
              options={[
                ['', 'Any'],
                ['true', 'Untagged'],
                ['false', 'Tagged'],
              ]}
            />
            <SelectField
              label="Rating"
              value={value('min_rating')}
              onChange={(rating) => set({ min_rating: rating })}
              options={[
                ['', 'Any'],
                ...[5, 4, 3, 2, 1].map((n) => [String(n), n === 5 ? '5' : `${n} or more`] as const),
              ]}
            />
            {can('collections:read') && (
              <div class="field">
                <span class="label">Collection</span>
                <DialogButton
                  label={value('collection_id') ? (collectionName ?? 'Selected') : 'Any'}
                  dialog={(close) => (
                    <CollectionDialog
                      title="Filter by collection"
                      action="Show"
                      onClose={close}
                      onChoose={({ id }) => {
                        set({ collection_id: id });
                        close();
                      }}
                    />
                  )}
                />
              </div>
            )}
          </>
        ) : (
          <SelectField
            label="Made from others"
            value={value('originals')}
            onChange={(originals) => set({ originals })}
            options={[
              ['', 'Under their source'],
              ['false', 'In the list'],
            ]}
          />
        )}
        <SelectField
          label="State"
          value={value('state')}
          onChange={(state) => set({ state })}
          options={[
            ['', 'All except trashed'],
            ['available', 'Available'],
            ['processing', 'Processing'],
            ['rejected', 'Rejected'],
            ['failed', 'Failed'],
          ]}
        />
        <Days legend="Added" name="created" address={address} set={set} />
        {isImages && (
          <>
            <Days legend="Taken" name="captured" address={address} set={set} />
            <Sizes key={address.toString()} address={address} set={set} />
          </>
        )}
      </div>
    </details>
  );
}
