import type { JobRecord, PageRecord } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { CheckField } from '../../kit/fields/field.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import '../jobs.css';
import { useName } from '../../kit/names.ts';
import { PageResults } from './page-results.tsx';
import { Stage } from './stage.tsx';
import './viewer.css';

const zoomLevels = [50, 75, 100, 125, 150, 200, 300];

/** One page of a job: its image, words, redactions and results. */
export default function PageViewer({ id, page }: { id: string; page: number }) {
  const { can } = useSession();
  const job = useResource(requestFor('getJob', { id }));
  const request = requestFor('listJobPages', { id, page, include: 'words' });
  const pages = useResource(request);
  const states = useResource(requestFor('getJobPageStates', { id }));
  const sourceId = job.data?.source_object_id;
  const source = useResource(
    sourceId && can('objects:read') ? requestFor('getObject', { id: sourceId }) : null,
  );
  const name = useName(sourceId);
  const [selectedIndex, setSelectedIndex] = useState<number | null>(null);
  useEffect(() => setSelectedIndex(null), [page]);
  const [zoom, setZoom] = useState(100);
  const [layers, setLayers] = useState<Layers>({ image: true, words: true, redactions: true });

  const pageNumbers = pageNumbersOf(states.data);
  const pageIndex = pageNumbers.indexOf(page);
  const previousPage = pageIndex > 0 ? pageNumbers[pageIndex - 1] : undefined;
  const nextPage = pageIndex >= 0 ? pageNumbers[pageIndex + 1] : undefined;
  const changeZoom = (by: 1 | -1): void => {
    const next = zoomLevels[zoomLevels.indexOf(zoom) + by];
    if (next) setZoom(next);
  };
  useShortcuts(id, previousPage, nextPage, changeZoom, () => setZoom(100));

  // Keeps its width while it loads, so that the actions do not move.
  const lastPage = pageNumbers.at(-1) ?? (states.loading ? '…' : undefined);
  const problem = job.problem ?? pages.problem;
  return (
    <>
      <PageHead
        title={`Page ${page}${lastPage === undefined ? '' : ` of ${lastPage}`}`}
        crumbs={[
          ['Jobs', '/'],
          [name ?? 'Job', `/${id}`],
        ]}
        calls={[
          ['Get page, with words', request],
          ['Download source', requestFor('getObjectContent', { id: sourceId ?? 'obj_…' })],
        ]}
        actions={
          <>
            <PageLink to={previousPage} id={id} label="Previous page" />
            <PageLink to={nextPage} id={id} label="Next page" />
          </>
        }
      />
      {problem ? (
        <ProblemState
          problem={problem}
          onRetry={() => {
            job.reload();
            pages.reload();
          }}
        />
      ) : !job.data || !pages.data ? (
        <Loading what="page" lines={8} />
      ) : (
        <div class="page-viewer">
          <div>
            <Toolbar layers={layers} onLayers={setLayers} zoom={zoom} onZoom={changeZoom} />
            <PageStage
              job={job.data}
              source={source.data}
              page={page}
              rows={pages.data.data}
              zoom={zoom}
              layers={layers}
              selectedIndex={selectedIndex}
              onSelect={setSelectedIndex}
            />
            <p class="soft">Press the arrow keys to turn pages, + and − to zoom, 0 to reset.</p>
          </div>
          <PageResults
            rows={pages.data.data}
            canReadPii={can('pii:read')}
            selectedIndex={selectedIndex}
            onSelect={setSelectedIndex}
          />
        </div>
      )}
    </>
  );
}

interface Layers {
  image: boolean;
  words: boolean;
  redactions: boolean;
}

const layerTitles: Record<keyof Layers, string> = {
  image: 'Page',
  words: 'Words',
  redactions: 'Redactions',
};

/** Shows and hides layers, and zooms. */
function Toolbar(props: {
  layers: Layers;
  onLayers: (layers: Layers) => void;
  zoom: number;
  onZoom: (by: 1 | -1) => void;
}) {
  const { layers, onLayers, zoom, onZoom } = props;
  return (
    <div class="page-tools">
      {(['image', 'words', 'redactions'] as const).map((layer) => (
        <CheckField
          key={layer}
          label={layerTitles[layer]}
          checked={layers[layer]}
          onChange={(on) => onLayers({ ...layers, [layer]: on })}
        />
      ))}
      <div class="row">
        <Button small label="Zoom out" disabled={zoom === zoomLevels[0]} onClick={() => onZoom(-1)}>
          −
        </Button>
        <span aria-live="polite">{zoom}%</span>
        <Button
          small
          label="Zoom in"
          disabled={zoom === zoomLevels.at(-1)}
          onClick={() => onZoom(1)}
        >
          +
        </Button>
      </div>
    </div>
  );
}

/** Keyboard shortcuts: arrow keys turn pages, + and - zoom, 0 resets the zoom. */
function useShortcuts(
  id: string,
  previousPage: number | undefined,
  nextPage: number | undefined,
  onZoom: (by: 1 | -1) => void,
  onReset: () => void,
): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      const isField = target instanceof HTMLElement && target.matches('input, select, textarea');
      if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'ArrowRight' && nextPage) navigate(`/${id}/pages/${nextPage}`);
      else if (event.key === 'ArrowLeft' && previousPage) navigate(`/${id}/pages/${previousPage}`);
      else if (event.key === '+' || event.key === '=') onZoom(1);
      else if (event.key === '-') onZoom(-1);
      else if (event.key === '0') onReset();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}

function PageLink({ to, id, label }: { to: number | undefined; id: string; label: string }) {
  if (to === undefined) return <Button disabled>{label}</Button>;
  return <ButtonLink href={`/${id}/pages/${to}`}>{label}</ButtonLink>;
}

function PageStage(props: {
  job: JobRecord;
  source: ObjectRecord | undefined;
  page: number;
  rows: readonly PageRecord[];
  zoom: number;
  layers: Layers;
  selectedIndex: number | null;
  onSelect: (at: number | null) => void;
}) {
  const { rows, layers } = props;
  return (
    <Stage
      sourceId={props.job.source_object_id}
      mime={props.source?.mime ?? null}
      page={props.page}
      size={pageSizeOf(rows)}
      zoom={props.zoom}
      showImage={layers.image}
      words={layers.words ? (rows.find(({ words }) => words)?.words ?? []) : []}
      selectedIndex={props.selectedIndex}
      onSelect={props.onSelect}
      entities={layers.redactions ? (rows.find(({ entities }) => entities)?.entities ?? []) : []}
    />
  );
}

/**
 * Returns the size of the page in points, as reported by its operations; null if none reported it.
 */
function pageSizeOf(rows: readonly PageRecord[]): { width: number; height: number } | null {
  for (const { result } of rows) {
    const { width, height } = result ?? {};
    if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0) {
      return { width, height };
    }
  }
  return null;
}

function pageNumbersOf(
  states: { operations: { runs: { from: number; to: number }[] }[] } | undefined,
) {
  const numbers = new Set<number>();
  for (const { runs } of states?.operations ?? []) {
    for (const { from, to } of runs) for (let page = from; page <= to; page += 1) numbers.add(page);
  }
  return [...numbers].sort((a, b) => a - b);
}
