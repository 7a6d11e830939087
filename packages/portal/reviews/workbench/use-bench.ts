import type { NewFinding, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useMemo, useState } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { limitZoom } from '../../kit/use-pan.ts';
import { useSession } from '../../shell/session.tsx';
import { pageOf, standingOf } from '../words.ts';
import { useKeys } from './keys.tsx';
import type { Goal } from './pages/viewer.tsx';
import { usePointing } from './pointing.ts';
import { noFilter } from './side/filter.ts';
import { neighbour, nextPending, sorted } from './side/sorted.ts';
import { useHold } from './store/use-work.ts';
import type { Work } from './store/work.ts';
import type { TextGoal } from './text/viewer.tsx';
import type { Tool } from './tools/bar.tsx';
import { typeNamed, useToolKeys } from './tools/use-tool-keys.ts';

/** The file types whose pages can be drawn. */
const drawn = /^(application\/pdf|image\/(png|jpeg|tiff|webp))$/;

/** Where on a page to add a finding. */
type Place = Pick<NewFinding, 'page' | 'boxes' | 'words' | 'range'>;

export type BenchState = ReturnType<typeof useBench>;

/** The state of the workbench and its actions, including keyboard actions. */
export function useBench(work: Work, review: ReviewRecord) {
  const { can } = useSession();
  const hold = useHold(work);
  const mayDecide = review.state === 'open' && hold !== 'other' && can('documents:review');
  const maySeek = mayDecide && can('pii:read');
  const [filter, setFilter] = useState(noFilter);
  const [zoom, setZoom] = useState(100);
  const [goal, setGoal] = useState<(Goal & TextGoal) | undefined>();
  const [page, setPage] = useState<number | undefined>();
  const [wanted, take] = useState<Tool>('move');
  const [type, setType] = useState('PERSON');
  const [open, setOpen] = useState<'legend' | 'everywhere' | undefined>();
  const source = useAnswer(
    can('objects:read') ? requestFor('getObject', { id: review.source_object_id }) : null,
  );
  const hasText = review.located_by === 'ranges' && can('pii:read');
  const hasPictures = source.data !== undefined && drawn.test(source.data.mime);
  // A tool selected while the source is loading works once the type of the source is known.
  const hasTool = mayDecide && (hasPictures || (hasText && wanted === 'words'));
  const tool = hasTool ? wanted : 'move';

  const all = work.findings();
  const sorting = useMemo(() => sorted(all, filter), [all, filter]);
  const { shown, pending } = sorting;
  const pointing = usePointing((id, from) => {
    const finding = work.get(id);
    const on = finding && pageOf(finding);
    if (from === 'page' || !finding || on === null || on === undefined) return;
    setGoal({ page: on, box: finding.removal?.[0] ?? finding.boxes[0], at: finding.range?.start });
  });
  const current = pointing.current === undefined ? undefined : work.get(pointing.current);

  const step = (by: 1 | -1): void => pointing.pick(neighbour(shown, current, by)?.id, 'keys');
  const decide = (verb: 'accept' | 'reject'): void => {
    if (!mayDecide) return;
    if (!current) step(1);
    else if (current.source === 'detector') {
      const next = nextPending(shown, current);
      void work.decide([current.id], verb);
      pointing.pick(next?.id, 'keys');
    } else if (verb === 'reject') void work.remove(current);
  };
  const undo = async (): Promise<void> => {
    if (mayDecide) pointing.pick(await work.undo(), 'keys');
  };
  const nextPage = (): void => {
    const pages = work.held.pages.filter((one) => (pending.get(one.page) ?? 0) > 0);
    const next = pages.find((one) => one.page > (page ?? 0)) ?? pages[0];
    if (!next) return;
    setGoal({ page: next.page });
    const first = shown.find((one) => pageOf(one) === next.page && standingOf(one) === 'pending');
    pointing.pick(first?.id, 'keys');
  };
  const zoomBy = (by: number): void => setZoom((now) => limitZoom(now * by));
  useToolKeys(tool !== 'move', (key) => {
    if (key === 'Escape') take('move');
    return key === 'Escape';
  });
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    a: () => decide('accept'),
    r: () => decide('reject'),
    u: () => void undo(),
    n: nextPage,
    d: () => take(tool === 'box' ? 'move' : 'box'),
    w: () => take(tool === 'words' ? 'move' : 'words'),
    e: () => setOpen(maySeek ? 'everywhere' : undefined),
    '+': () => zoomBy(1.25),
    '-': () => zoomBy(0.8),
    '0': () => setZoom(100),
    '?': () => setOpen('legend'),
  });
  return {
    ...{ work, review, hold, mayDecide, all, ...sorting, pointing, current },
    ...{ filter, setFilter, zoom, setZoom, zoomBy, goal, setGoal, page, setPage },
    ...{ tool, take, type, setType, open, setOpen, step, decide, undo },
    ...{ hasPictures, hasText, maySeek },
    /** Whether the file is known to have no pictures. */
    lacksPictures: source.data !== undefined && !hasPictures,
    add: async (place: Place): Promise<void> => {
      const added = await work.add({ ...place, type: typeNamed(type) });
      if (Array.isArray(added)) pointing.pick(added[0]?.id, 'page');
    },
  };
}
