import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import { DialogButton } from '../../../kit/dialog.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { useSession } from '../../../shell/session.tsx';
import { CollectionDialog } from '../collection-dialog.tsx';
import type { ShownFacets } from '../results.ts';
import { DateRange, FacetChoices, SizeFilters } from './facets.tsx';
import { fileKindOf, isOfKind } from './file-kinds.ts';
import type { ListKind, QueryChanges } from './filters.ts';
import { mimeName } from './mime-names.ts';
import { TagFilter } from './tag-filter.tsx';

interface PanelProps {
  address: URLSearchParams;
  set: (changes: QueryChanges) => void;
  kind: ListKind;
  facets: ShownFacets | undefined;
  collectionName: string | undefined;
}

/** The filters; each change is applied to the address immediately. */
export const FilterPanel = memo(function FilterPanel(props: PanelProps) {
  const { address, set, facets } = props;
  const isImages = props.kind === 'images';
  return (
    <search class="browse-filters" aria-label="Filters">
      <TagFilter address={address} setAddress={set} facet={facets?.tag} />
      <FacetChoices
        title="Type"
        name="mime"
        facet={facets?.mime.filter(({ value: mime }) => isOfKind(fileKindOf(address), mime))}
        labelOf={(mime) => mimeName(mime)}
        address={address}
        setAddress={set}
      />
      {isImages && (
        <FacetChoices
          title="Orientation"
          name="orientation"
          facet={facets?.orientation}
          labelOf={(text) => text[0]!.toUpperCase() + text.slice(1)}
          address={address}
          setAddress={set}
        />
      )}
      <MoreFilters key={props.kind} {...props} />
    </search>
  );
});

/**
 * The filters under More filters, which is collapsed unless one of them is set, to keep the results
 * close to the search.
 */
const collapsedFilters = [
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
  const filterValue = (name: string): string => address.get(name) ?? '';
  const { can } = useSession();
  const [open, setOpen] = useState(() => collapsedFilters.some((name) => address.has(name)));
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
              value={filterValue('untagged')}
              onChange={(untagged) => set({ untagged })}
              options={[
                ['', 'Any'],
                ['true', 'Untagged'],
                ['false', 'Tagged'],
              ]}
            />
            <SelectField
              label="Rating"
              value={filterValue('min_rating')}
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
                  label={filterValue('collection_id') ? (collectionName ?? 'Selected') : 'Any'}
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
            label="Derived objects"
            value={filterValue('originals')}
            onChange={(originals) => set({ originals })}
            options={[
              ['', 'Grouped under their source'],
              ['false', 'In the list'],
            ]}
          />
        )}
        <SelectField
          label="State"
          value={filterValue('state')}
          onChange={(state) => set({ state })}
          options={[
            ['', 'All except trashed'],
            ['available', 'Available'],
            ['processing', 'Processing'],
            ['rejected', 'Rejected'],
            ['failed', 'Failed'],
          ]}
        />
        <DateRange legend="Added" name="created" address={address} setAddress={set} />
        {isImages && (
          <>
            <DateRange legend="Taken" name="captured" address={address} setAddress={set} />
            <SizeFilters key={address.toString()} address={address} setAddress={set} />
          </>
        )}
      </div>
    </details>
  );
}
