import type { NewFinding, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useMemo, useState } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { limitZoom } from '../../kit/use-pan.ts';
import { useSession } from '../../shell/session.tsx';
import { outcomeOf, pageOf } from '../finding-text.ts';
import { type FindingFocus, useFindingFocus } from './finding-focus.ts';
import type { ScrollTarget, ViewerSide } from './pages/viewer.tsx';
import { useShortcuts } from './shortcuts.tsx';
import { noFilter } from './side/filter.ts';
import {
  type FindingGroup,
  type GroupOrder,
  groupFindings,
  leadOf,
  nextPendingGroups,
} from './side/groups.ts';
import { sortFindings } from './side/sorted.ts';
import type { ReviewWork } from './store/review-work.ts';
import { useClaim } from './store/use-review-work.ts';
import type { TextScrollTarget } from './text/viewer.tsx';
import type { Tool } from './tools/bar.tsx';
import { assignableType, useToolKeys } from './tools/use-tool-keys.ts';
import { useDecisions } from './use-decisions.ts';

/** The file types whose pages can be drawn. */
const drawableTypes = /^(application\/pdf|image\/(png|jpeg|tiff|webp))$/;

/** The position on a page at which to add a finding. */
type FindingPosition = Pick<NewFinding, 'page' | 'boxes' | 'words' | 'range'>;

/** The dialogs of the workbench. */
export type BenchDialog = 'legend' | 'everywhere' | 'submit' | 'reject';

/** The number of pending values whose pages are loaded in advance. */
const preloadedValues = 4;

export type BenchState = ReturnType<typeof useBench>;

/** The state of the workbench and its actions, including keyboard actions. */
export function useBench(work: ReviewWork, review: ReviewRecord) {
  const { can } = useSession();
  const claim = useClaim(work);
  const mayDecide = review.state === 'open' && claim !== 'other' && can('documents:review');
  const mayRedactEverywhere = mayDecide && can('pii:read');
  const list = useFindingList(work);
  const [zoom, setZoom] = useState(100);
  const [scrollTarget, setScrollTarget] = useState<(ScrollTarget & TextScrollTarget) | undefined>();
  const [page, setPage] = useState<number | undefined>();
  const [type, setType] = useState('PERSON');
  const [open, setOpen] = useState<BenchDialog | undefined>();
  const tools = useTools(review, mayDecide);
  const { tool, take } = tools;
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
  const current = currentFinding(work, findingFocus);
  const decisions = useDecisions({
    work,
    groups: list.groups,
    current,
    mayDecide,
    select: (id) => findingFocus.select(id, 'keys'),
  });
  const nextGroups = nextPendingGroups(list.groups, decisions.group, preloadedValues);
  const sides = useSides(review, nextGroups, tools.hasPictures, page);
  const nextPage = (): void => {
    const pages = work.held.pages.filter((one) => (list.pending.get(one.page) ?? 0) > 0);
    const next = pages.find((one) => one.page > (page ?? 0)) ?? pages[0];
    if (!next) return;
    setScrollTarget({ page: next.page });
    const first = list.shown.find(
      (one) => pageOf(one) === next.page && outcomeOf(one) === 'pending',
    );
    findingFocus.select(first?.id, 'keys');
  };
  const zoomBy = (factor: number): void => setZoom((now) => limitZoom(now * factor));
  useShortcuts({
    j: () => decisions.step(1),
    k: () => decisions.step(-1),
    a: () => decisions.decide('accept'),
    r: () => decisions.decide('reject'),
    l: () => decisions.stepPlace(1),
    h: () => decisions.stepPlace(-1),
    'shift+a': () => decisions.decidePlace('accept'),
    'shift+r': () => decisions.decidePlace('reject'),
    u: () => void decisions.undo(),
    n: nextPage,
    d: () => take(tool === 'box' ? 'move' : 'box'),
    w: () => take(tool === 'words' ? 'move' : 'words'),
    e: () => setOpen(mayRedactEverywhere ? 'everywhere' : undefined),
    s: () => setOpen(mayDecide ? 'submit' : undefined),
    o: sides.flip,
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
    pointing: findingFocus,
    current,
    decisions,
    ...list,
    ...tools,
    ...sides,
    zoom,
    setZoom,
    zoomBy,
    goal: scrollTarget,
    setGoal: setScrollTarget,
    page,
    setPage,
    type,
    setType,
    open,
    setOpen,
    maySeek: mayRedactEverywhere,
    add: async (position: FindingPosition): Promise<void> => {
      const added = await work.add({ ...position, type: assignableType(type) });
      if (Array.isArray(added)) findingFocus.select(added[0]?.id, 'page');
    },
  };
}

const currentFinding = (work: ReviewWork, { current }: FindingFocus) =>
  current === undefined ? undefined : work.get(current);

/** The findings that match the filter, grouped by value and in order. */
function useFindingList(work: ReviewWork) {
  const [filter, setFilter] = useState(noFilter);
  const [order, setOrder] = useState<GroupOrder>('doubt');
  const all = work.findings();
  const sortedFindings = useMemo(() => sortFindings(all, filter), [all, filter]);
  const { shown } = sortedFindings;
  const groups = useMemo(() => groupFindings(shown, order), [shown, order]);
  return { all, ...sortedFindings, groups, filter, setFilter, order, setOrder };
}

/** The source of the review, and the tool that adds findings to it. */
function useTools(review: ReviewRecord, mayDecide: boolean) {
  const { can } = useSession();
  const [selectedTool, selectTool] = useState<Tool>('move');
  const source = useResource(
    can('objects:read') ? requestFor('getObject', { id: review.source_object_id }) : null,
  );
  const hasText = review.located_by === 'ranges' && can('pii:read');
  const hasPictures = source.data !== undefined && drawableTypes.test(source.data.mime);
  // A tool that is selected while the source loads takes effect once the type of the source is known.
  const hasTool = mayDecide && (hasPictures || (hasText && selectedTool === 'words'));
  const tool = hasTool ? selectedTool : 'move';
  useToolKeys(tool !== 'move', (key) => {
    if (key === 'Escape') selectTool('move');
    return key === 'Escape';
  });
  return {
    tool,
    take: selectTool,
    hasPictures,
    hasText,
    /** Whether the file is known to have no pictures. */
    lacksPictures: source.data !== undefined && !hasPictures,
  };
}

/** Whether the original or the result is shown, and the pages that may be shown next. */
function useSides(
  { source_object_id: sourceId }: ReviewRecord,
  nextGroups: readonly FindingGroup[],
  hasPictures: boolean,
  page: number | undefined,
) {
  const [isFlipped, setIsFlipped] = useState(false);
  const [outputId, setOutputId] = useState<string | undefined>();
  const resultId = hasPictures ? outputId : undefined;
  const side: ViewerSide = !isFlipped ? 'original' : resultId ? 'result' : 'preview';
  const nextPages = nextGroups
    .map(leadOf)
    .flatMap((one) => (one.page === null ? [] : { objectId: sourceId, page: one.page }));
  // The other side of the current page.
  if (resultId !== undefined && page !== undefined)
    nextPages.push({ objectId: isFlipped ? sourceId : resultId, page });
  const flip = (): void => setIsFlipped((now) => !now);
  return { side, flip, resultId, setOutputId, nextPages };
}
