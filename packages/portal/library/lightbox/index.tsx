import { useEffect, useRef, useState } from 'preact/hooks';
import { requestFor, urlOf } from '../../api/request.ts';
import { ButtonLink, IconButton } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { Icon } from '../../kit/icons/icon.tsx';
import { useModal } from '../../kit/use-modal.ts';
import { limitZoom } from '../../kit/use-pan.ts';
import { ZoomButtons } from '../../kit/zoom-buttons.tsx';
import { useSession } from '../../shell/session.tsx';
import { Thumb } from '../browse/grid/thumb.tsx';
import { pathOfItem } from '../browse/item.ts';
import { sectionOf } from '../browse/list/section.ts';
import type { Results } from '../browse/results.ts';
import { Drawer } from './drawer.tsx';
import { FindBar } from './find/find-bar.tsx';
import { useFind } from './find/use-find.ts';
import { useQueryMatches } from './find/use-query-matches.ts';
import { hasText, Stage } from './stage.tsx';
import './lightbox.css';

interface LightboxProps {
  results: Results;
  index: number;
  /** The query of the addresses of the items' pages. */
  query: string;
  onIndex: (index: number) => void;
  onClose: () => void;
}

/** Shows one item at a time, filling the window. */
export default function Lightbox({ results, index, query, onIndex, onClose }: LightboxProps) {
  const { can } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(100);
  const [page, setPage] = useState(1);
  const [detailsOpen, setDetailsOpen] = useState(() => window.innerWidth > 900);
  const item = results.items.at(index);
  const pages = item?.picture ? 1 : (item?.pages ?? 1);
  useModal(dialog, () => stage.current?.focus());
  useEffect(() => results.load(Math.max(0, index - 12), index + 13), [index, results.load]);
  useEffect(() => {
    setZoom(100);
    setPage(item?.foundOnPage ?? 1);
  }, [item?.id]);
  // The list became shorter, or its last item was removed.
  useEffect(() => {
    if (results.loading || index < results.count) return;
    if (results.count === 0) onClose();
    else onIndex(results.count - 1);
  }, [results.loading, index, results.count]);
  const goTo = (to: number): void => {
    if (to >= 0 && to < results.count) onIndex(to);
  };
  const goToPage = (to: number): void => setPage(Math.max(1, Math.min(pages, to)));
  const searchableItem = item && hasText(item) ? item : undefined;
  const find = useFind(searchableItem?.objectId, pages, page, setPage);
  const found = useQueryMatches(
    item?.foundOnPage === null ? undefined : searchableItem?.objectId,
    page,
    results.correctedQuery ?? new URLSearchParams(query).get('q') ?? '',
  );
  const zoomBy = (factor: number): void => setZoom((now) => limitZoom(now * factor));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => goTo(index - 1),
    ArrowRight: () => goTo(index + 1),
    Home: () => goTo(0),
    PageUp: () => goToPage(page - 1),
    PageDown: () => goToPage(page + 1),
    '+': () => zoomBy(1.25),
    '-': () => zoomBy(0.8),
    '0': () => setZoom(100),
    i: () => setDetailsOpen(!detailsOpen),
  };
  return (
    <dialog
      ref={dialog}
      class="lightbox always-dark"
      aria-label={item ? item.name : 'Loading'}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'f' && searchableItem) {
          event.preventDefault();
          if (find.isOpen)
            dialog.current?.querySelector<HTMLInputElement>('search input')?.select();
          else find.setOpen(true);
          return;
        }
        const isField = event.target instanceof Element && event.target.closest('input, textarea');
        if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
        const action = keys[event.key];
        if (!action) return;
        event.preventDefault();
        action();
      }}
    >
      <header>
        <h2 dir="auto">{item?.name ?? 'Loading'}</h2>
        <span class="soft" role="status">
          {formatCount(index + 1)} of {formatCount(results.count)}
        </span>
        <span class="lightbox-tools row">
          {pages > 1 && <PageTools page={page} pages={pages} onTurn={goToPage} />}
          {searchableItem && (
            <IconButton
              icon="search"
              label="Find in the document"
              pressed={find.isOpen}
              onClick={() => find.setOpen(!find.isOpen)}
            />
          )}
          <ZoomButtons zoom={zoom} onZoom={zoomBy} />
          {item && can('objects:download') && item.state === 'available' && (
            <a
              class="button quiet icon-only"
              href={urlOf(requestFor('getObjectContent', { id: item.objectId }))}
              download={item.filename}
              aria-label="Download"
              title="Download"
            >
              <Icon name="download" />
            </a>
          )}
          {item && (
            <ButtonLink
              quiet
              small
              href={`~/portal/library${pathOfItem(item)}${query}`}
              state={{ around: sectionOf(results, index) }}
            >
              Open page
            </ButtonLink>
          )}
          <IconButton
            icon="info"
            label="Details"
            pressed={detailsOpen}
            onClick={() => setDetailsOpen(!detailsOpen)}
          />
          <IconButton icon="close" label="Close" onClick={onClose} />
        </span>
      </header>
      {searchableItem && find.isOpen && (
        <FindBar
          find={find}
          jobHref={
            can('documents:write')
              ? `~/portal/jobs/new?object=${searchableItem.objectId}`
              : undefined
          }
          onClosed={() => stage.current?.focus()}
        />
      )}
      <div class={`lightbox-body${detailsOpen ? ' with-facts' : ''}`}>
        <div class="lightbox-view">
          <IconButton
            class="lightbox-before"
            icon="before"
            label="Previous item"
            disabled={index === 0}
            onClick={() => goTo(index - 1)}
          />
          <Stage
            item={item}
            page={page}
            find={find.isOpen ? find : found}
            zoom={zoom}
            onZoom={setZoom}
            frame={stage}
          />
          <IconButton
            class="lightbox-after"
            icon="next"
            label="Next item"
            disabled={index >= results.count - 1}
            onClick={() => goTo(index + 1)}
          />
        </div>
        {detailsOpen && item && <Drawer key={item.id} item={item} results={results} />}
      </div>
      <Strip results={results} index={index} onIndex={onIndex} />
    </dialog>
  );
}

/** The number of the displayed page, and buttons for the previous and next page. */
function PageTools(props: { page: number; pages: number; onTurn: (page: number) => void }) {
  const { page, pages, onTurn } = props;
  return (
    <span class="row">
      <IconButton
        small
        icon="up"
        label="Previous page"
        disabled={page === 1}
        onClick={() => onTurn(page - 1)}
      />
      <span role="status">
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      <IconButton
        small
        icon="down"
        label="Next page"
        disabled={page === pages}
        onClick={() => onTurn(page + 1)}
      />
    </span>
  );
}

/** Number of items shown on each side. */
const neighbourCount = 12;

/** Small pictures of the items around the displayed one. */
function Strip(props: { results: Results; index: number; onIndex: (index: number) => void }) {
  const { results, index, onIndex } = props;
  const list = useRef<HTMLUListElement>(null);
  const first = Math.max(0, index - neighbourCount);
  const end = Math.min(results.count, index + neighbourCount + 1);
  const items = results.items.slice(first, end);
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [index, items.length, items.includes(undefined)]);
  return (
    <ul ref={list} class="lightbox-strip" aria-label="Nearby items">
      {items.map((item, at) => (
        <li key={item?.id ?? `at ${first + at}`}>
          <button
            type="button"
            // The arrow keys of the lightbox already move from item to item.
            tabIndex={-1}
            aria-label={item?.name ?? 'Loading'}
            aria-current={first + at === index ? 'true' : undefined}
            onClick={() => onIndex(first + at)}
          >
            {item && <Thumb item={item} width={64} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
