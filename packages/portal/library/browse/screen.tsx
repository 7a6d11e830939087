import { pluralise } from '@scriptorium/contracts/pluralise';
import { useCallback, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty } from '../../kit/states.tsx';

import { useSession } from '../../shell/session.tsx';
import { passageFilterOf, searchPassages } from '../passages/passages.ts';
import { RelatedPassages } from '../passages/related-passages.tsx';
import { isLocal, middleOf } from '../places/nearest-city.ts';
import { usePlaceNames } from '../places/use-place-name.ts';
import { DropTarget, UploadButton } from '../uploads/index.tsx';
import { BulkBar, useSelectable } from './bulk/bar.tsx';
import { ItemActions } from './bulk/item-actions.tsx';
import { Chips } from './filters/chips.tsx';
import { type FileKind, fileKindOf, fileKinds } from './filters/file-kinds.ts';
import { FilterPanel } from './filters/filter-panel.tsx';
import { isFiltered, listKindOf, type QueryChanges, withoutFilters } from './filters/filters.ts';
import { Toolbar } from './filters/toolbar.tsx';
import type { Selection } from './grid/selection.ts';
import { ItemGrid } from './item-grid.tsx';
import {
  countImages,
  countObjects,
  countResults,
  isRanked,
  listImages,
  listObjects,
  listResults,
} from './list/requests.ts';
import type { NewUploads } from './new-uploads.ts';
import type { Results } from './results.ts';
import { useView } from './view.ts';

/** The number of passages that are shown if no item has all words of a search. */
const maxPassages = 10;

export interface BrowseProps {
  address: URLSearchParams;
  setAddress: (changes: QueryChanges, history?: 'push') => void;
  results: Results;
  selection: Selection;
  newUploads: NewUploads;
}

/** The library, or the part of it that matches the filters. */
export function BrowseScreen(props: BrowseProps) {
  const { address, setAddress, results, selection } = props;
  const { can } = useSession();
  const [filtersOpen, setFiltersOpen] = useState(() => window.innerWidth > 1100);
  const [view, setView] = useView();
  const pushAddress = useCallback(
    (changes: QueryChanges): void => setAddress(changes, 'push'),
    [setAddress],
  );
  const collectionId = can('collections:read') ? address.get('collection_id') : null;
  const collection = useResource(
    collectionId ? requestFor('getCollection', { id: collectionId }) : null,
  );
  const kind = listKindOf(address);
  const isImages = kind === 'images';
  const sourceId = !isImages ? address.get('derived_from') : null;
  const source = useResource(sourceId ? requestFor('getObject', { id: sourceId }) : null);
  const box = address.get('bbox')?.split(',').map(Number) ?? null;
  const namePlace = usePlaceNames(box !== null);
  const names = {
    collection: collection.data?.name,
    source: source.data?.filename,
    place: box && isLocal(box) ? namePlace(middleOf(box)) : undefined,
  };
  const selectable = useSelectable();
  const clearFilters = (
    <Button onClick={() => pushAddress(withoutFilters(address))}>Clear all filters</Button>
  );
  const { sort: _, ...filters } = results.query;
  const question = isRanked(results.query) && !isImages ? String(filters.q) : null;
  const passages =
    question === null ? null : searchPassages(question, maxPassages, passageFilterOf(filters));
  return (
    <DropTarget>
      <PageHead
        title="Browse"
        calls={
          isRanked(results.query)
            ? [
                ['Search the library', listResults(kind, results.query)],
                ['Count results, with facets', countResults(kind, filters)],
                ...(passages ? [['Find passages', passages] as const] : []),
              ]
            : isImages
              ? [
                  ['List images', listImages(results.query)],
                  ['Count images, with facets', countImages(filters)],
                ]
              : [
                  ['List objects', listObjects(results.query)],
                  ['Count objects, with facets', countObjects(filters)],
                ]
        }
        actions={
          can('images:read') && (
            <ButtonLink icon="map" href="/map">
              Map
            </ButtonLink>
          )
        }
        primary={<UploadButton />}
      />
      {can('objects:read') && (
        <nav class="tabs browse-tabs" aria-label="Kind">
          {fileKinds.map(([show, label]) => (
            <TabLink key={show} show={show} label={label} address={address} />
          ))}
        </nav>
      )}
      <Toolbar
        address={address}
        setAddress={setAddress}
        kind={kind}
        view={view}
        setView={setView}
        filtersOpen={filtersOpen}
        onToggleFilters={() => setFiltersOpen(!filtersOpen)}
      />
      <div class={`browse-body${filtersOpen ? ' with-filters' : ''}`}>
        {filtersOpen && (
          <FilterPanel
            address={address}
            set={pushAddress}
            kind={kind}
            facets={results.facets}
            collectionName={collection.data?.name}
          />
        )}
        <section class="browse-found" aria-label="Results">
          <div class="browse-summary">
            <ResultCount results={results} noun={results.noun} />
            <Chips address={address} set={pushAddress} names={names} />
            <NewUploadsNotice newUploads={props.newUploads} noun={results.noun} />
          </div>
          <ItemGrid
            results={results}
            selection={selection}
            selectable={selectable}
            view={view}
            query={address.size > 0 ? `?${address}` : ''}
            onSort={(sort) => pushAddress({ sort })}
            problemAction={isFiltered(address) && clearFilters}
            empty={
              isFiltered(address) ? (
                <>
                  <Empty title={`No matching ${results.noun}s`} action={clearFilters}>
                    Remove a filter, or search for something else.
                  </Empty>
                  {question !== null && passages && (
                    <RelatedPassages key={results.key} question={question} request={passages} />
                  )}
                </>
              ) : (
                <Empty title={`No ${results.noun}s yet`} action={<UploadButton />}>
                  Drop files anywhere on this page, select Upload, or upload with the API.
                </Empty>
              )
            }
          />
        </section>
      </div>
      <BulkBar
        results={results}
        selection={selection}
        actions={(bulk) => <ItemActions {...bulk} />}
      />
    </DropTarget>
  );
}

/** Reports uploads that the list does not show yet, and uploads that it never shows. */
function NewUploadsNotice({ newUploads, noun }: { newUploads: NewUploads; noun: string }) {
  const { count, show, otherKindCount } = newUploads;
  return (
    <>
      {count > 0 && (
        <Button
          small
          onClick={() => {
            show();
            window.scrollTo(0, 0);
            document.getElementById('main')?.focus({ preventScroll: true });
          }}
        >
          Show {pluralise(count, `new ${noun}`)}
        </Button>
      )}
      {otherKindCount > 0 && <OtherKindNotice count={otherKindCount} />}
    </>
  );
}

/** Reports uploads of other kinds, and links to the list that shows them. */
function OtherKindNotice({ count }: { count: number }) {
  const { can } = useSession();
  return (
    <p class="row" role="status">
      <span>
        {count === 1
          ? '1 file of another kind was uploaded.'
          : `${formatCount(count)} files of other kinds were uploaded.`}
      </span>
      {can('objects:read') && <Link href="">Show all</Link>}
    </p>
  );
}

/** The number of results, and the query that was searched instead if the words were corrected. */
function ResultCount({ results, noun }: { results: Results; noun: string }) {
  const { total, correctedQuery, loading, items, problem } = results;
  if (problem && items.end === 0) return null;
  return (
    <div class="browse-count" role="status">
      {correctedQuery !== undefined && (
        <p>
          Showing results for <strong>{correctedQuery}</strong>.
        </p>
      )}
      {total === undefined ? (
        <span class="soft">{loading || items.end > 0 ? 'Counting…' : ''}</span>
      ) : (
        <span>{pluralise(total, noun)}</span>
      )}
    </div>
  );
}

/** The orders and filters that apply to every kind of list. */
const commonSorts = /^-?(created_at|filename|bytes)$/;
const commonFilters = ['q', 'tag', 'state', 'created_after', 'created_before', 'bbox'];

function TabLink({
  show,
  label,
  address,
}: {
  show: FileKind;
  label: string;
  address: URLSearchParams;
}) {
  const query = new URLSearchParams(show === '' ? {} : { show });
  for (const name of commonFilters) {
    for (const value of address.getAll(name)) query.append(name, value);
  }
  const sort = address.get('sort');
  // Lists of images have further orders, which do not apply to the other kinds.
  if (sort && commonSorts.test(sort)) query.set('sort', sort);
  const text = query.toString();
  const isCurrent = fileKindOf(address) === show;
  return (
    <Link href={text ? `?${text}` : ''} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  );
}
