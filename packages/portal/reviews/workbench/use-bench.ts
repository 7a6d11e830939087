import type { NewFinding, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useMemo, useState } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { limitZoom } from '../../kit/use-pan.ts';
import { useSession } from '../../shell/session.tsx';
import { outcomeOf, pageOf } from '../finding-text.ts';
import { useFindingFocus } from './finding-focus.ts';
import type { ScrollTarget } from './pages/viewer.tsx';
import { useShortcuts } from './shortcuts.tsx';
import { noFilter } from './side/filter.ts';
import { adjacentFinding, nextPending, sortFindings } from './side/sorted.ts';
import type { ReviewWork } from './store/review-work.ts';
import { useClaim } from './store/use-review-work.ts';
import type { TextScrollTarget } from './text/viewer.tsx';
import type { Tool } from './tools/bar.tsx';
import { assignableType, useToolKeys } from './tools/use-tool-keys.ts';

/** The file types whose pages can be drawn. */
const drawableTypes = /^(application\/pdf|image\/(png|jpeg|tiff|webp))$/;

/** The position on a page at which to add a finding. */
type FindingPosition = Pick<NewFinding, 'page' | 'boxes' | 'words' | 'range'>;

export type BenchState = ReturnType<typeof useBench>;

/** The state of the workbench and its actions, including keyboard actions. */
export function useBench(work: ReviewWork, review: ReviewRecord) {
  const { can } = useSession();
  const claim = useClaim(work);
  const mayDecide = review.state === 'open' && claim !== 'other' && can('documents:review');
  const mayRedactEverywhere = mayDecide && can('pii:read');
  const [filter, setFilter] = useState(noFilter);
  const [zoom, setZoom] = useState(100);
  const [scrollTarget, setScrollTarget] = useState<(ScrollTarget & TextScrollTarget) | undefined>();
  const [page, setPage] = useState<number | undefined>();
  const [selectedTool, selectTool] = useState<Tool>('move');
  const [type, setType] = useState('PERSON');
  const [open, setOpen] = useState<'legend' | 'everywhere' | undefined>();
  const source = useResource(
    can('objects:read') ? requestFor('getObject', { id: review.source_object_id }) : null,
  );
  const hasText = review.located_by === 'ranges' && can('pii:read');
  const hasPictures = source.data !== undefined && drawableTypes.test(source.data.mime);
  // A tool that is selected while the source loads takes effect once the type of the source is known.
  const hasTool = mayDecide && (hasPictures || (hasText && selectedTool === 'words'));
  const tool = hasTool ? selectedTool : 'move';

  const all = work.findings();
  const sortedFindings = useMemo(() => sortFindings(all, filter), [all, filter]);
  const { shown, pending } = sortedFindings;
  const findingFocus = useFindingFocus((id, origin) => {
    const finding = work.get(id);
    const findingPage = finding && pageOf(finding);
    if (origin === 'page' || !finding || findingPage === null || findingPage === undefined) return;
    setScrollTarget({
      page: findingPage,
      box: finding.removal?.[0] ?? finding.boxes[0],
      at: finding.range?.start,
    });
  });
  const current = findingFocus.current === undefined ? undefined : work.get(findingFocus.current);

  const step = (direction: 1 | -1): void =>
    findingFocus.select(adjacentFinding(shown, current, direction)?.id, 'keys');
  const decide = (verb: 'accept' | 'reject'): void => {
    if (!mayDecide) return;
    if (!current) step(1);
    else if (current.source === 'detector') {
      const next = nextPending(shown, current);
      void work.decide([current.id], verb);
      findingFocus.select(next?.id, 'keys');
    } else if (verb === 'reject') void work.remove(current);
  };
  const undo = async (): Promise<void> => {
    if (mayDecide) findingFocus.select(await work.undo(), 'keys');
  };
  const nextPage = (): void => {
    const pages = work.held.pages.filter((one) => (pending.get(one.page) ?? 0) > 0);
    const next = pages.find((one) => one.page > (page ?? 0)) ?? pages[0];
    if (!next) return;
    setScrollTarget({ page: next.page });
    const first = shown.find((one) => pageOf(one) === next.page && outcomeOf(one) === 'pending');
    findingFocus.select(first?.id, 'keys');
  };
  const zoomBy = (factor: number): void => setZoom((now) => limitZoom(now * factor));
  useToolKeys(tool !== 'move', (key) => {
    if (key === 'Escape') selectTool('move');
    return key === 'Escape';
  });
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    a: () => decide('accept'),
    r: () => decide('reject'),
    u: () => void undo(),
    n: nextPage,
    d: () => selectTool(tool === 'box' ? 'move' : 'box'),
    w: () => selectTool(tool === 'words' ? 'move' : 'words'),
    e: () => setOpen(mayRedactEverywhere ? 'everywhere' : undefined),
    '+': () => zoomBy(1.25),
    '-': () => zoomBy(0.8),
    '0': () => setZoom(100),
    '?': () => setOpen('legend'),
  });
  return {
    work,
    review,
    hold: claim,
    mayDecide,
    all,
    ...sortedFindings,
    pointing: findingFocus,
    current,
    filter,
    setFilter,
    zoom,
    setZoom,
    zoomBy,
    goal: scrollTarget,
    setGoal: setScrollTarget,
    page,
    setPage,
    tool,
    take: selectTool,
    type,
    setType,
    open,
    setOpen,
    step,
    decide,
    undo,
    hasPictures,
    hasText,
    maySeek: mayRedactEverywhere,
    /** Whether the file is known to have no pictures. */
    lacksPictures: source.data !== undefined && !hasPictures,
    add: async (position: FindingPosition): Promise<void> => {
      const added = await work.add({ ...position, type: assignableType(type) });
      if (Array.isArray(added)) findingFocus.select(added[0]?.id, 'page');
    },
  };
}
