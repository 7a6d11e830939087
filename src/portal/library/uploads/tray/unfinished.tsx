import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { formatBytes } from '../../../kit/values.tsx';
import type { ChosenFile } from '../files.ts';
import type { UploadQueue } from '../queue.ts';
import { getUpload, terminateUpload } from '../requests.ts';
import {
  claimedUploads,
  forget,
  isSameFile,
  readUnfinished,
  type Unfinished,
} from '../unfinished.ts';

/** An upload that was left, and how much of it the service has. */
export interface LeftOff extends Unfinished {
  offset: number;
}

interface UnfinishedList {
  entries: readonly LeftOff[];
  takeUp: (entry: LeftOff, chosen: ChosenFile) => void;
  giveUp: (entry: LeftOff) => Promise<void>;
}

/** What was left unfinished in this browser and no tab of it works on, as far as the service has it. */
export function useUnfinished(projectId: string, queue: UploadQueue): UnfinishedList {
  const [entries, setEntries] = useState<readonly LeftOff[]>([]);
  useEffect(() => {
    let gone = false;
    void findLeftOff(projectId, queue).then((found) => {
      if (!gone) setEntries(found);
    });
    return () => {
      gone = true;
    };
  }, [projectId, queue]);
  const without = useCallback(
    (entry: LeftOff) =>
      setEntries((now) => now.filter(({ uploadId }) => uploadId !== entry.uploadId)),
    [],
  );
  return {
    entries,
    takeUp: (entry, chosen) => {
      without(entry);
      queue.takeUp(entry, chosen);
    },
    giveUp: async (entry) => {
      try {
        await send(terminateUpload(entry.uploadId));
      } catch (error) {
        const problem = asProblem(error);
        // Gone, or complete meanwhile: nothing is left to give up.
        if (![404, 409, 410].includes(problem.status)) return toast('bad', problem.message);
      }
      forget(entry.uploadId);
      without(entry);
    },
  };
}

async function findLeftOff(projectId: string, queue: UploadQueue): Promise<LeftOff[]> {
  const claimed = await claimedUploads();
  const mine = new Set(queue.items().map(({ uploadId }) => uploadId));
  const kept = readUnfinished(projectId).filter(
    ({ uploadId }) => !claimed.has(uploadId) && !mine.has(uploadId),
  );
  const looked = await Promise.all(
    kept.map(async (entry) => {
      try {
        const { data } = await send(getUpload(entry.uploadId));
        // What is complete is kept: choosing its file again puts it into its collection.
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

/** The list of what was left, each to be gone on with or given up. */
export function UnfinishedUploads({ entries, takeUp, giveUp }: UnfinishedList) {
  if (entries.length === 0) return null;
  return (
    <section class="tray-unfinished" aria-label="Not finished">
      <p>
        These uploads were not finished. Choose the same file again, and it goes on where it
        stopped.
      </p>
      <ul>
        {entries.map((entry) => (
          <li key={entry.uploadId} class="tray-line">
            <div class="tray-name">
              <bdi title={entry.filename}>{entry.filename}</bdi>
            </div>
            <p class="soft">
              {formatBytes(entry.offset)} of {formatBytes(entry.bytes)} are there.
            </p>
            <div class="row tray-actions">
              <ChooseAgain entry={entry} onChosen={(file) => takeUp(entry, file)} />
              <Button
                small
                quiet
                label={`Discard ${entry.filename}`}
                onClick={() => void giveUp(entry)}
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
  entry: LeftOff;
  onChosen: (chosen: ChosenFile) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`The file ${entry.filename}`}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (!file) return;
          const chosen = { file, folder: entry.folder };
          if (isSameFile(entry, chosen)) return onChosen(chosen);
          // Other bytes after those that are there would make a file that never was.
          const isOther = file.name !== entry.filename || file.size !== entry.bytes;
          toast(
            'bad',
            isOther
              ? `That is another file. Choose ${entry.filename} with ${formatBytes(entry.bytes)}.`
              : `${file.name} was changed since. Discard this upload, then begin anew.`,
          );
        }}
      />
      <Button
        small
        label={`Choose the file… ${entry.filename}`}
        onClick={() => input.current?.click()}
      >
        Choose the file…
      </Button>
    </>
  );
}
