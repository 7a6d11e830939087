import { Button } from '../../kit/button.tsx';
import { ZoomButtons } from '../../kit/zoom-buttons.tsx';
import type { PagePosition } from './pages/layout.ts';
import { PageStrip } from './pages/strip.tsx';
import { Viewer } from './pages/viewer.tsx';
import { KeyHint } from './shortcuts.tsx';
import { Toolbar } from './tools/bar.tsx';
import { BoxLayer } from './tools/box-layer.tsx';
import { WordLayer } from './tools/word-layer.tsx';
import type { BenchState } from './use-bench.ts';

/** The pages with their findings, and the tools that add more. */
export function BenchPages({ bench }: { bench: BenchState }) {
  const { work, review, pending, page, setGoal, zoom, zoomBy, hasPictures } = bench;
  const shownObject = (bench.side === 'result' && bench.resultId) || review.source_object_id;
  return (
    <div class="bench-main">
      <PageStrip
        pages={work.held.pages}
        pendingCount={(one) => pending.get(one) ?? 0}
        current={page}
        onSelect={(one) => setGoal({ page: one })}
      />
      <div class="bench-zoom">
        {bench.mayDecide && (
          <Toolbar
            tool={bench.tool}
            onTool={bench.take}
            type={bench.type}
            onType={bench.setType}
            onEverywhere={bench.maySeek ? () => bench.setOpen('everywhere') : undefined}
          />
        )}
        <div class="row">
          <SideButton bench={bench} />
          <ZoomButtons zoom={zoom} onZoom={zoomBy} />
        </div>
      </div>
      <Viewer
        objectId={hasPictures ? shownObject : undefined}
        side={bench.side}
        preload={hasPictures ? bench.nextPages : []}
        pages={work.held.pages}
        findings={bench.byPage}
        pointing={bench.pointing}
        zoom={zoom}
        onZoom={bench.setZoom}
        scrollTarget={bench.goal}
        onPage={bench.setPage}
        toolLayer={layerOf(bench)}
      />
    </div>
  );
}

/** Flips between the original and the result or, before there is one, a preview of it. */
export function SideButton({ bench }: { bench: BenchState }) {
  const { side, flip, resultId } = bench;
  return (
    <Button small pressed={side !== 'original'} onClick={flip}>
      {resultId === undefined ? 'Preview result' : 'Show result'} <KeyHint of="O" />
    </Button>
  );
}

/** Returns the layer that the tool draws over a page. */
function layerOf({ tool, page, review, add }: BenchState) {
  if (tool === 'move') return undefined;
  return (sheet: PagePosition, scale: number) =>
    tool === 'box' ? (
      <BoxLayer
        {...{ position: sheet, scale }}
        isCurrent={sheet.page === page}
        onAdd={(addedPage, box) => void add({ page: addedPage, boxes: [box] })}
      />
    ) : (
      <WordLayer
        position={sheet}
        jobId={review.job_id}
        isCurrent={sheet.page === page}
        onAdd={(addedPage, words) => void add({ page: addedPage, words })}
      />
    );
}
