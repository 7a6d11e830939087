import { useEffect, useReducer, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { useRootClass } from '../../../kit/root-class.ts';
import { formatSeconds, Progress } from '../../../kit/values.tsx';
import { type Offer, takeOffer, watchOffers } from '../inbox.ts';
import { hasEnded, type UploadItem } from '../sending/item.ts';
import { uploadQueueOf } from '../sending/queue.ts';
import { NewBatch } from './batch.tsx';
import { UploadLine } from './line.tsx';
import { UnfinishedUploads, useUnfinished } from './unfinished.tsx';
import './tray.css';

/** Maximum number of lines to show; those that need attention come first. */
const shownLines = 60;

/** The uploads of this page, with their progress, and unfinished uploads of earlier visits. */
export default function Tray({ projectId }: { projectId: string }) {
  const queue = uploadQueueOf(projectId);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [offer, setOffer] = useState<Offer | undefined>();
  const [open, setOpen] = useState(true);
  const unfinished = useUnfinished(projectId, queue);
  useEffect(() => {
    const take = (): void => setOffer((now) => now ?? takeOffer());
    const endOffers = watchOffers(take);
    const endQueue = queue.watch(() => redraw(undefined));
    take();
    redraw(undefined);
    // Resumes uploads that a lost session interrupted.
    queue.resumeInterrupted();
    return () => {
      endOffers();
      endQueue();
    };
  }, [queue]);
  const items = queue.items();
  const under = items.filter((item) => !hasEnded(item));
  useEffect(() => {
    if (under.length === 0) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [under.length === 0]);

  const summary = summaryOf(items);
  const lines = [...items].sort((a, b) => rank(a) - rank(b)).slice(0, shownLines);
  const hasLines = items.length + unfinished.entries.length > 0;
  useRootClass('with-tray', hasLines);
  const isPaused = under.length > 0 && under.every(({ stage }) => stage === 'paused');
  return (
    <>
      {offer && (
        <NewBatch
          offer={offer}
          unfinished={unfinished.entries}
          onClose={() => setOffer(takeOffer())}
          onStart={(files, batch, rejections, resumed) => {
            for (const [chosen, entry] of resumed) unfinished.resume(entry, chosen);
            queue.add(files, batch, rejections);
            setOpen(true);
            setOffer(takeOffer());
          }}
        />
      )}
      <div class="visually-hidden" role="status" aria-live="polite">
        {summary.spoken}
      </div>
      {hasLines && (
        <aside class="tray" aria-label="Uploads">
          <header>
            <h2>
              <Button quiet expanded={open} onClick={() => setOpen(!open)}>
                Uploads
              </Button>
            </h2>
            <span class="soft tray-summary">{summary.shown}</span>
            {under.length > 1 && (
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
          {under.length > 0 && <Progress percent={summary.percent} label="All uploads" />}
          {open && (
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

/** Returns the order of lines: needs attention, in progress, waiting, done. */
function rank({ stage }: UploadItem): number {
  if (stage === 'rejected') return 0;
  if (stage === 'stored' || stage === 'present') return 3;
  return stage === 'waiting' ? 2 : 1;
}

/**
 * All uploads in one line: one text for display, and one without rapidly changing parts for screen
 * readers.
 */
function summaryOf(items: readonly UploadItem[]): {
  shown: string;
  spoken: string;
  percent: number;
} {
  const count = (...stages: UploadItem['stage'][]): number =>
    items.filter(({ stage }) => stages.includes(stage)).length;
  const under = items.filter((item) => !hasEnded(item));
  const sent = items.reduce((sum, item) => sum + (hasEnded(item) ? item.file.size : item.sent), 0);
  const bytes = items.reduce((sum, item) => sum + item.file.size, 0);
  const percent = bytes === 0 ? 100 : Math.floor((sent / bytes) * 100);
  const speed = under.reduce((sum, item) => sum + (item.speed ?? 0), 0);
  const left = under.reduce((sum, item) => sum + item.file.size - item.sent, 0);
  const parts = (
    [
      [count('stored'), 'uploaded'],
      [count('present'), 'already existed'],
      [count('rejected'), 'rejected'],
      [count('interrupted'), 'waiting for the connection'],
      [count('paused'), 'paused'],
    ] as const
  ).flatMap(([n, word]) => (n > 0 ? [`${n} ${word}`] : []));
  const done = items.length - under.length;
  const spoken =
    items.length === 0 ? '' : [`${done} of ${items.length} uploads complete`, ...parts].join(', ');
  const time = speed > 0 && left > 0 ? [`${formatSeconds(left / speed)} left`] : [];
  const shown = under.length > 0 ? [`${percent}%`, ...time, ...parts] : parts;
  return { shown: shown.join(' · '), spoken: spoken && `${spoken}.`, percent };
}
