import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor, urlOf } from '../../../api/request.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { Dialog, DialogButton } from '../../../kit/dialog.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { toast } from '../../../kit/toasts.tsx';
import { useRootClass } from '../../../kit/use-root-class.ts';
import { useSession } from '../../../shell/session.tsx';
import type { Selection } from '../grid/selection.ts';
import type { Item } from '../item.ts';
import type { Results } from '../results.ts';
import { AddToCollectionDialog } from './add-to-collection-dialog.tsx';
import { allSelected } from './all-selected.ts';
import { TagDialog } from './tag-dialog.tsx';
import { TrashDialog } from './trash-dialog.tsx';

export interface BulkProps {
  address: URLSearchParams;
  results: Results;
  selection: Selection;
  /** The number of selected items. */
  count: number;
}

/** Maximum number of items to list as download links or to pass to the job form. */
const maxLinks = 50;

/** The actions on the selected items. */
export function BulkBar(props: Omit<BulkProps, 'count'> & { writable: boolean }) {
  const { results, selection, writable } = props;
  const { can } = useSession();
  useRootClass('with-bulk');
  const [announcement, setAnnouncement] = useState('');
  const count = selection.isAll ? (results.total ?? results.items.end) : selection.items.size;
  const bulkProps = { ...props, count };
  const items = [...selection.items.values()];
  const total = results.total ?? 0;
  const text = selection.isAll
    ? `All ${formatCount(count)} selected`
    : `${formatCount(count)} of ${formatCount(total)} selected`;
  // Announced after a series of changes, not after each one.
  useEffect(() => {
    const timer = window.setTimeout(() => setAnnouncement(text), 400);
    return () => window.clearTimeout(timer);
  }, [text]);
  const isFew = !selection.isAll && items.length <= maxLinks;
  const jobParams = new URLSearchParams(items.map(({ objectId }) => ['object', objectId]));
  return (
    <section class="browse-bulk" aria-label="Selection">
      <span>
        <strong>{text}</strong>
        <span class="visually-hidden" role="status">
          {announcement}
        </span>
      </span>
      {!selection.isAll && results.total !== undefined && results.total > count && (
        <Button small onClick={selection.selectAll}>
          Select all {formatCount(results.total)}
        </Button>
      )}
      {writable && (
        <>
          <DialogButton
            small
            label="Add tags"
            dialog={(close) => <TagDialog {...bulkProps} action="add" onClose={close} />}
          />
          <DialogButton
            small
            label="Remove tags"
            dialog={(close) => <TagDialog {...bulkProps} action="remove" onClose={close} />}
          />
        </>
      )}
      {can('collections:read') && can('collections:write') && (
        <DialogButton
          small
          label="Add to collection"
          dialog={(close) => <AddToCollectionDialog {...bulkProps} onClose={close} />}
        />
      )}
      {can('documents:write') && isFew && (
        <ButtonLink small href={`~/portal/jobs/new?${jobParams}`}>
          Start job
        </ButtonLink>
      )}
      {can('documents:write') && <PackButton {...bulkProps} />}
      {can('objects:download') && isFew && (
        <DialogButton
          small
          label="Download"
          dialog={(close) => <DownloadDialog items={items} onClose={close} />}
        />
      )}
      {writable && (
        <DialogButton
          small
          danger
          label="Trash"
          dialog={(close) => <TrashDialog {...bulkProps} onClose={close} />}
        />
      )}
      <Button
        quiet
        small
        onClick={() => {
          selection.clear();
          // The button disappears with the selection.
          document.querySelector<HTMLElement>('.browse-grid [tabindex="0"]')?.focus();
        }}
      >
        Clear selection
      </Button>
    </section>
  );
}

/** Links to download the selected items. */
function DownloadDialog({ items, onClose }: { items: readonly Item[]; onClose: () => void }) {
  return (
    <Dialog title="Download" onClose={onClose}>
      <ul class="browse-downloads">
        {items.map(({ id, objectId, filename, bytes }) => (
          <li key={id}>
            <a href={urlOf(requestFor('getObjectContent', { id: objectId }))} download={filename}>
              <bdi>{filename}</bdi>
            </a>{' '}
            <span class="soft">{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The API's maximum for a pack. */
const maxDocuments = 10_000;

/** Opens the form that builds a pack, with the selected objects in the history entry. */
function PackButton({ results, selection, count }: BulkProps) {
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const open = async (): Promise<void> => {
    setBusy(true);
    try {
      const items = await allSelected(results, selection, () => undefined);
      const objects = [...new Set(items.map(({ objectId }) => objectId))];
      navigate('~/portal/packs/new', { state: { objects } });
    } catch (error) {
      toast('bad', asProblem(error).message);
      setBusy(false);
    }
  };
  if (count > maxDocuments) return null;
  return (
    <Button small busy={busy} onClick={() => void open()}>
      Build pack
    </Button>
  );
}
