import { useEffect, useReducer, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { useRootClass } from '../../../kit/use-root-class.ts';
import { formatSeconds, Progress } from '../../../kit/values.tsx';
import { hasEnded, type UploadItem } from '../sending/item.ts';
import { uploadQueueOf } from '../sending/queue.ts';
import { type Offer, takeOffer, watchOffers } from '../upload-events.ts';
import { UploadForm } from './batch.tsx';
import { UploadLine } from './line.tsx';
import { UnfinishedUploads, useUnfinished } from './unfinished.tsx';
import './tray.css';

/** Maximum number of lines to show; those that need attention come first. */
const maxLines = 60;

/** The uploads of this page, with their progress, and unfinished uploads of earlier visits. */
export default function Tray({ projectId }: { projectId: string }) {
  const queue = uploadQueueOf(projectId);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [offer, setOffer] = useState<Offer | undefined>();
  const [isOpen, setIsOpen] = useState(true);
  const unfinished = useUnfinished(projectId, queue);
  useEffect(() => {
    const takeNext = (): void => setOffer((now) => now ?? takeOffer());
    const stopOffers = watchOffers(takeNext);
    const stopQueue = queue.watch(() => redraw(undefined));
    takeNext();
    redraw(undefined);
    // Resumes uploads that were interrupted when the session ended.
    queue.resumeInterrupted();
    return () => {
      stopOffers();
      stopQueue();
    };
  }, [queue]);
  const items = queue.items();
  const activeItems = items.filter((item) => !hasEnded(item));
  useEffect(() => {
    if (activeItems.length === 0) return;
    const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', confirmLeaving);
    return () => window.removeEventListener('beforeunload', confirmLeaving);
  }, [activeItems.length === 0]);

  const summary = summaryOf(items);
  const lines = [...items].sort((a, b) => displayOrder(a) - displayOrder(b)).slice(0, maxLines);
  const hasLines = items.length + unfinished.entries.length > 0;
  useRootClass('with-tray', hasLines);
  const isPaused = activeItems.length > 0 && activeItems.every(({ stage }) => stage === 'paused');
  return (
    <>
      {offer && (
        <UploadForm
          offer={offer}
          unfinished={unfinished.entries}
          onClose={() => setOffer(takeOffer())}
          onStart={(files, batch, rejections, resumed) => {
            for (const [selectedFile, entry] of resumed) unfinished.resume(entry, selectedFile);
            queue.add(files, batch, rejections);
            setIsOpen(true);
            setOffer(takeOffer());
          }}
        />
      )}
      <div class="visually-hidden" role="status" aria-live="polite">
        {summary.announcement}
      </div>
      {hasLines && (
        <aside class="tray" aria-label="Uploads">
          <header>
            <h2>
              <Button quiet expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
                Uploads
              </Button>
            </h2>
            <span class="soft tray-summary">{summary.text}</span>
            {activeItems.length > 1 && (
              <Button small quiet onClick={() => (isPaused ? queue.resumeAll() : queue.pauseAll())}>
                {isPaused ? 'Resume all' : 'Pause all'}
              </Button>
            )}
            {items.some(hasEnded) && (
              <Button small quiet onClick={() => queue.clearEnded()}>
                Clear finished
              </Button>
            )}
          </header>
          {activeItems.length > 0 && <Progress percent={summary.percent} label="All uploads" />}
          {isOpen && (
            <section class="tray-body" tabIndex={0} aria-label="Files">
              <UnfinishedUploads {...unfinished} />
              <ul>
                {lines.map((item) => (
                  <UploadLine key={item.id} item={item} queue={queue} />
                ))}
              </ul>
              {items.length > lines.length && (
                <p class="soft">And {items.length - lines.length} more.</p>
              )}
            </section>
          )}
        </aside>
      )}
    </>
  );
}

/** Returns the sort key of an upload: rejected first, then in progress, waiting, and done. */
function displayOrder({ stage }: UploadItem): number {
  if (stage === 'rejected') return 0;
  if (stage === 'stored' || stage === 'present') return 3;
  return stage === 'waiting' ? 2 : 1;
}

/**
 * Summarises all uploads: a text to display, and an announcement for screen readers that omits the
 * rapidly changing parts.
 */
function summaryOf(items: readonly UploadItem[]): {
  text: string;
  announcement: string;
  percent: number;
} {
  const count = (...stages: UploadItem['stage'][]): number =>
    items.filter(({ stage }) => stages.includes(stage)).length;
  const activeItems = items.filter((item) => !hasEnded(item));
  const sent = items.reduce((sum, item) => sum + (hasEnded(item) ? item.file.size : item.sent), 0);
  const bytes = items.reduce((sum, item) => sum + item.file.size, 0);
  const percent = bytes === 0 ? 100 : Math.floor((sent / bytes) * 100);
  const speed = activeItems.reduce((sum, item) => sum + (item.speed ?? 0), 0);
  const bytesLeft = activeItems.reduce((sum, item) => sum + item.file.size - item.sent, 0);
  const parts = (
    [
      [count('stored'), 'uploaded'],
      [count('present'), 'already existed'],
      [count('rejected'), 'rejected'],
      [count('interrupted'), 'waiting for the connection'],
      [count('paused'), 'paused'],
    ] as const
  ).flatMap(([n, word]) => (n > 0 ? [`${n} ${word}`] : []));
  const doneCount = items.length - activeItems.length;
  const announcement =
    items.length === 0
      ? ''
      : [`${doneCount} of ${items.length} uploads complete`, ...parts].join(', ');
  const timeLeft = speed > 0 && bytesLeft > 0 ? [`${formatSeconds(bytesLeft / speed)} left`] : [];
  const textParts = activeItems.length > 0 ? [`${percent}%`, ...timeLeft, ...parts] : parts;
  return { text: textParts.join(' · '), announcement: announcement && `${announcement}.`, percent };
}
