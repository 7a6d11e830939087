import { formatSeconds } from '../../../kit/values.tsx';
import { hasEnded, type UploadItem } from '../sending/item.ts';

/** All uploads in one line: one text to read, one without fast-changing parts for screen readers. */
export function summaryOf(items: readonly UploadItem[]): {
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
