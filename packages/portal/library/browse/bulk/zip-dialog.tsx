import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useState } from 'preact/hooks';
import { DownloadInterrupted, download } from '../../../api/download.ts';
import { asProblem } from '../../../api/hooks.ts';
import { ApiProblem, requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import type { Item } from '../item.ts';
import { allSelected, type BulkProps } from './bar.tsx';
import { FailedItems } from './progress.tsx';
import { type Outcome, retryWhileBusy, splitIntoBatches } from './run.ts';

type Stage =
  | { name: 'running'; bytes: number; part: number; parts: number }
  /** These files cannot be downloaded; nothing was saved of this part. */
  | { name: 'denied'; failed: Outcome['failed']; others: readonly Item[] }
  | { name: 'interrupted' }
  | { name: 'failed'; problem: ApiProblem };

const archiveRequest = (items: readonly Item[]) =>
  requestFor('archiveObjects', { body: { ids: items.map(({ objectId }) => objectId) } });

/**
 * Downloads the selected files as a ZIP file, or as several if there are too many for one. If some
 * cannot be downloaded, lists them and offers the others.
 */
export function ZipDialog({ onClose, ...selected }: BulkProps & { onClose: () => void }) {
  const [items, setItems] = useState<readonly Item[] | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [stage, setStage] = useState<Stage>({ name: 'running', bytes: 0, part: 1, parts: 1 });
  useEffect(() => {
    const controller = new AbortController();
    const run = async (): Promise<void> => {
      const files = items ?? uniqueFiles(await allSelected(selected));
      const parts = splitIntoBatches(files, limits.archive_objects);
      for (const [at, part] of parts.entries()) {
        let bytes = 0;
        const show = (): void =>
          setStage({ name: 'running', bytes, part: at + 1, parts: parts.length });
        show();
        const name = parts.length === 1 ? 'files.zip' : `files-${at + 1}.zip`;
        const onChunk = (chunk: Uint8Array): void => {
          bytes += chunk.length;
          show();
        };
        try {
          await retryWhileBusy(() =>
            download(archiveRequest(part), name, controller.signal, onChunk),
          );
        } catch (error) {
          const failed = error instanceof ApiProblem ? deniedFiles(error, part) : [];
          if (failed.length === 0) throw error;
          const failedIds = new Set(failed.map(({ id }) => id));
          const others = parts
            .slice(at)
            .flat()
            .filter(({ id }) => !failedIds.has(id));
          return setStage({ name: 'denied', failed, others });
        }
      }
      toast('good', `${pluralise(files.length, 'file')} downloaded.`);
      onClose();
    };
    run().catch((error: unknown) => {
      if (controller.signal.aborted) return;
      if (error instanceof DownloadInterrupted) setStage({ name: 'interrupted' });
      else setStage({ name: 'failed', problem: asProblem(error) });
    });
    return () => controller.abort();
  }, [attempt]);
  const start = (files: readonly Item[] | null): void => {
    setItems(files);
    setStage({ name: 'running', bytes: 0, part: 1, parts: 1 });
    setAttempt(attempt + 1);
  };
  return (
    <Dialog
      title={`Download ${pluralise(selected.count, 'item')}`}
      onClose={onClose}
      footer={
        <>
          <ApiCalls
            calls={[
              [
                'Download as ZIP',
                archiveRequest(
                  [...selected.selection.items.values()].slice(0, limits.archive_objects),
                ),
              ],
            ]}
          />
          <Button onClick={onClose}>{stage.name === 'running' ? 'Cancel' : 'Close'}</Button>
          {stage.name === 'denied' && stage.others.length > 0 && (
            <Button primary onClick={() => start(stage.others)}>
              Download the other {formatCount(stage.others.length)}
            </Button>
          )}
          {(stage.name === 'interrupted' || stage.name === 'failed') && (
            <Button primary onClick={() => start(items)}>
              Try again
            </Button>
          )}
        </>
      }
    >
      {stage.name === 'running' && (
        <p role="status">
          {stage.bytes === 0 ? 'Preparing the ZIP file…' : `${formatBytes(stage.bytes)} received`}
          {stage.parts > 1 && ` (file ${stage.part} of ${stage.parts})`}
        </p>
      )}
      {stage.name === 'denied' && <FailedItems failed={stage.failed} verb="download" />}
      {stage.name === 'interrupted' && (
        <p class="notice bad" role="alert">
          The download was interrupted. Nothing was saved.
        </p>
      )}
      {stage.name === 'failed' && <ProblemNotice problem={stage.problem} />}
    </Dialog>
  );
}

/** An image and its object are the same file. */
function uniqueFiles(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.objectId, item])).values()];
}

/** The files that the API does not deliver, and why. */
function deniedFiles({ document }: ApiProblem, files: readonly Item[]): Outcome['failed'] {
  return (document.errors ?? []).flatMap(({ pointer, detail }) => {
    const file = files[Number(pointer?.match(/^\/ids\/(\d+)$/)?.[1] ?? -1)];
    return file ? [{ id: file.id, name: file.name, reason: detail }] : [];
  });
}
