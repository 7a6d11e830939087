import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor, send } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { toast } from '../../../kit/toasts.tsx';
import type { ChosenFile } from '../files.ts';
import type { UploadQueue } from '../sending/queue.ts';
import {
  claimedUploads,
  isSameFile,
  readUnfinished,
  removeUnfinished,
  type UnfinishedEntry,
} from '../sending/unfinished.ts';
import { terminateUpload } from '../tus.ts';

/** An unfinished upload, with the number of bytes that the service has received. */
export interface UnfinishedUpload extends UnfinishedEntry {
  offset: number;
}

interface UnfinishedList {
  entries: readonly UnfinishedUpload[];
  resume: (entry: UnfinishedUpload, selectedFile: ChosenFile) => void;
  discard: (entry: UnfinishedUpload) => Promise<void>;
}

/**
 * The unfinished uploads of this browser that are not running in any tab and still exist in the
 * service.
 */
export function useUnfinished(projectId: string, queue: UploadQueue): UnfinishedList {
  const [entries, setEntries] = useState<readonly UnfinishedUpload[]>([]);
  useEffect(() => {
    let isCancelled = false;
    void findUnfinished(projectId, queue).then((found) => {
      if (!isCancelled) setEntries(found);
    });
    return () => {
      isCancelled = true;
    };
  }, [projectId, queue]);
  const removeEntry = useCallback(
    (entry: UnfinishedUpload) =>
      setEntries((now) => now.filter(({ uploadId }) => uploadId !== entry.uploadId)),
    [],
  );
  return {
    entries,
    resume: (entry, selectedFile) => {
      removeEntry(entry);
      queue.addUnfinished(entry, selectedFile);
    },
    discard: async (entry) => {
      try {
        await send(terminateUpload(entry.uploadId));
      } catch (error) {
        const problem = asProblem(error);
        // The upload no longer exists or is complete, so there is nothing to discard.
        if (![404, 409, 410].includes(problem.status)) return toast('bad', problem.message);
      }
      removeUnfinished(entry.uploadId);
      removeEntry(entry);
    },
  };
}

async function findUnfinished(projectId: string, queue: UploadQueue): Promise<UnfinishedUpload[]> {
  const claimed = await claimedUploads();
  const queuedIds = new Set(queue.items().map(({ uploadId }) => uploadId));
  const candidates = readUnfinished(projectId).filter(
    ({ uploadId }) => !claimed.has(uploadId) && !queuedIds.has(uploadId),
  );
  const existing = await Promise.all(
    candidates.map(async (entry) => {
      try {
        const { data } = await send(requestFor('getUpload', { id: entry.uploadId }));
        // A completed upload with a collection is kept: selecting its file again adds the object.
        if (data.state === 'uploading' || (data.state === 'completed' && entry.target)) {
          return [{ ...entry, offset: data.offset }];
        }
      } catch (error) {
        if (asProblem(error).status !== 404) return [];
      }
      removeUnfinished(entry.uploadId);
      return [];
    }),
  );
  return existing.flat();
}

/** Lists the unfinished uploads, each to resume or discard. */
export function UnfinishedUploads({ entries, resume, discard }: UnfinishedList) {
  if (entries.length === 0) return null;
  return (
    <section class="tray-unfinished" aria-label="Unfinished uploads">
      <p>These uploads are not finished. Choose the same file again to resume.</p>
      <ul>
        {entries.map((entry) => (
          <li key={entry.uploadId} class="tray-line">
            <div class="tray-name">
              <bdi title={entry.filename}>{entry.filename}</bdi>
            </div>
            <p class="soft">
              {formatBytes(entry.offset)} of {formatBytes(entry.bytes)} uploaded
            </p>
            <div class="row tray-actions">
              <ChooseFileButton entry={entry} onSelect={(file) => resume(entry, file)} />
              <Button
                small
                quiet
                label={`Discard ${entry.filename}`}
                onClick={() => void discard(entry)}
              >
                Discard
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChooseFileButton({
  entry,
  onSelect,
}: {
  entry: UnfinishedUpload;
  onSelect: (selectedFile: ChosenFile) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File ${entry.filename}`}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (!file) return;
          const selectedFile = { file, folder: entry.folder };
          if (isSameFile(entry, selectedFile)) return onSelect(selectedFile);
          // Appending bytes of another file would corrupt the upload.
          const isDifferentFile = file.name !== entry.filename || file.size !== entry.bytes;
          toast(
            'bad',
            isDifferentFile
              ? `This is a different file. Choose ${entry.filename} (${formatBytes(entry.bytes)}).`
              : `${file.name} has changed. Discard this upload and upload the file again.`,
          );
        }}
      />
      <Button small label={`Choose file… ${entry.filename}`} onClick={() => input.current?.click()}>
        Choose file…
      </Button>
    </>
  );
}
