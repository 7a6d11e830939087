import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor, urlOf } from '../../../api/request.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { DialogButton } from '../../../kit/dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import type { Item } from '../item.ts';
import { allSelected, type BulkProps } from './bar.tsx';
import { CollectDialog } from './collect-dialog.tsx';
import { ShareSelection } from './share-selection.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { TrashDialog } from './trash-dialog.tsx';
import { ZipDialog } from './zip-dialog.tsx';

/** Maximum number of objects in the address of the job form. */
const maxInAddress = 50;

/** What can be done with selected items wherever they are listed. */
export function ItemActions(bulk: BulkProps) {
  const { selection } = bulk;
  const { can } = useSession();
  const writable = useWritable(bulk);
  const items = [...selection.items.values()];
  const jobParams = new URLSearchParams(items.map(({ objectId }) => ['object', objectId]));
  const mayCollect = can('collections:read') && can('collections:write');
  return (
    <>
      {writable && (
        <>
          <DialogButton
            small
            label="Add tags"
            dialog={(close) => <TagDialog {...bulk} action="add" onClose={close} />}
          />
          <DialogButton
            small
            label="Remove tags"
            dialog={(close) => <TagDialog {...bulk} action="remove" onClose={close} />}
          />
        </>
      )}
      {mayCollect && (
        <DialogButton
          small
          label="Add to collection"
          dialog={(close) => <CollectDialog {...bulk} onClose={close} />}
        />
      )}
      {can('objects:download') && <DownloadButton {...bulk} />}
      {can('shares:write') && can('objects:read') && can('images:read') && (
        <ShareButton {...bulk} mayCollect={mayCollect} />
      )}
      {can('documents:write') && !selection.isAll && items.length <= maxInAddress && (
        <ButtonLink small href={`~/portal/jobs/new?${jobParams}`}>
          Start job
        </ButtonLink>
      )}
      {can('documents:write') && <PackButton {...bulk} />}
      {writable && (
        <DialogButton
          small
          danger
          label="Trash"
          dialog={(close) => <TrashDialog {...bulk} onClose={close} />}
        />
      )}
    </>
  );
}

/** Whether the key can change all selected items: images and objects have separate scopes. */
function useWritable({ results, selection }: BulkProps): boolean {
  const { can } = useSession();
  const scopeOf = (kind: Item['kind']) => (kind === 'image' ? 'images:write' : 'objects:write');
  if (!selection.isAll) {
    return [...selection.items.values()].every(({ kind }) => can(scopeOf(kind)));
  }
  if (results.kind === 'members') return can('images:write') && can('objects:write');
  return can(results.kind === 'images' ? 'images:write' : 'objects:write');
}

/** Downloads one file as it is, and several as a ZIP file. */
function DownloadButton(bulk: BulkProps) {
  const [only] = bulk.selection.items.values();
  if (bulk.count === 1 && only) {
    return (
      <a
        class="button small"
        href={urlOf(requestFor('getObjectContent', { id: only.objectId }))}
        download={only.filename}
      >
        Download
      </a>
    );
  }
  return (
    <DialogButton
      small
      label="Download"
      dialog={(close) => <ZipDialog {...bulk} onClose={close} />}
    />
  );
}

/** Shares one object, or several in a new collection. */
function ShareButton({ mayCollect, ...bulk }: BulkProps & { mayCollect: boolean }) {
  if (bulk.count > 1 && !mayCollect) return null;
  return (
    <DialogButton
      small
      label="Share"
      dialog={(close) => <ShareSelection {...bulk} onClose={close} />}
    />
  );
}

/** The API's maximum for a pack. */
const maxDocuments = 10_000;

/** Opens the form that builds a pack, with the selected objects in the history entry. */
function PackButton(bulk: BulkProps) {
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const open = async (): Promise<void> => {
    setBusy(true);
    try {
      const items = await allSelected(bulk);
      const objects = [...new Set(items.map(({ objectId }) => objectId))];
      navigate('~/portal/packs/new', { state: { objects } });
    } catch (error) {
      toast('bad', asProblem(error).message);
      setBusy(false);
    }
  };
  if (bulk.count > maxDocuments) return null;
  return (
    <Button small busy={busy} onClick={() => void open()}>
      Build pack
    </Button>
  );
}
