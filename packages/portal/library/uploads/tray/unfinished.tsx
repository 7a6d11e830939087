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
  forget,
  isSameFile,
  readUnfinished,
  type Unfinished,
} from '../sending/unfinished.ts';
import { terminateUpload } from '../tus.ts';

/** An unfinished upload, and the number of bytes that the service has. */
export interface UnfinishedUpload extends Unfinished {
  offset: number;
}

interface UnfinishedList {
  entries: readonly UnfinishedUpload[];
  resume: (entry: UnfinishedUpload, chosen: ChosenFile) => void;
  discard: (entry: UnfinishedUpload) => Promise<void>;
}

/**
 * The unfinished uploads of this browser that are not running in any tab and still exist in the
 * service.
 */
export function useUnfinished(projectId: string, queue: UploadQueue): UnfinishedList {
  const [entries, setEntries] = useState<readonly UnfinishedUpload[]>([]);
  useEffect(() => {
    let gone = false;
    void findUnfinished(projectId, queue).then((found) => {
      if (!gone) setEntries(found);
    });
    return () => {
      gone = true;
    };
  }, [projectId, queue]);
  const without = useCallback(
    (entry: UnfinishedUpload) =>
      setEntries((now) => now.filter(({ uploadId }) => uploadId !== entry.uploadId)),
    [],
  );
  return {
    entries,
    resume: (entry, chosen) => {
      without(entry);
      queue.addUnfinished(entry, chosen);
    },
    discard: async (entry) => {
      try {
        await send(terminateUpload(entry.uploadId));
      } catch (error) {
        const problem = asProblem(error);
        // Already gone or completed: nothing left to discard.
        if (![404, 409, 410].includes(problem.status)) return toast('bad', problem.message);
      }
      forget(entry.uploadId);
      without(entry);
    },
  };
}

async function findUnfinished(projectId: string, queue: UploadQueue): Promise<UnfinishedUpload[]> {
  const claimed = await claimedUploads();
  const mine = new Set(queue.items().map(({ uploadId }) => uploadId));
  const kept = readUnfinished(projectId).filter(
    ({ uploadId }) => !claimed.has(uploadId) && !mine.has(uploadId),
  );
  const looked = await Promise.all(
    kept.map(async (entry) => {
      try {
        const { data } = await send(requestFor('getUpload', { id: entry.uploadId }));
        // Completed uploads with a collection are kept: choosing the file again adds it.
        if (data.state === 'uploading' || (data.state === 'completed' && entry.target)) {
          return [{ ...entry, offset: data.offset }];
        }
      } catch (error) {
        if (asProblem(error).status !== 404) return [];
      }
      forget(entry.uploadId);
      return [];
    }),
  );
  return looked.flat();
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
              <ChooseAgain entry={entry} onChosen={(file) => resume(entry, file)} />
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

function ChooseAgain({
  entry,
  onChosen,
}: {
  entry: UnfinishedUpload;
  onChosen: (chosen: ChosenFile) => void;
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
          const chosen = { file, folder: entry.folder };
          if (isSameFile(entry, chosen)) return onChosen(chosen);
          // Appending bytes of another file would corrupt the upload.
          const isOther = file.name !== entry.filename || file.size !== entry.bytes;
          toast(
            'bad',
            isOther
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
