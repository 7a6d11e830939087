import { ZoomButtons } from '../../kit/zoom-buttons.tsx';
import type { Sheet } from './pages/layout.ts';
import { PageStrip } from './pages/strip.tsx';
import { Viewer } from './pages/viewer.tsx';
import { ToolBar } from './tools/bar.tsx';
import { BoxLayer } from './tools/box-layer.tsx';
import { WordLayer } from './tools/word-layer.tsx';
import type { BenchState } from './use-bench.ts';

/** The pages with their findings, and the tools that add more. */
export function BenchPages({ bench }: { bench: BenchState }) {
  const { work, review, pending, page, setGoal, zoom, zoomBy, hasPictures } = bench;
  return (
    <div class="bench-main">
      <PageStrip
        pages={work.held.pages}
        pendingOn={(one) => pending.get(one) ?? 0}
        current={page}
        onGo={(one) => setGoal({ page: one })}
      />
      <div class="bench-zoom">
        {bench.mayDecide && (
          <ToolBar
            tool={bench.tool}
            onTool={bench.take}
            type={bench.type}
            onType={bench.setType}
            onEverywhere={bench.maySeek ? () => bench.setOpen('everywhere') : undefined}
          />
        )}
        <ZoomButtons zoom={zoom} onZoom={zoomBy} />
      </div>
      <Viewer
        objectId={hasPictures ? review.source_object_id : undefined}
        pages={work.held.pages}
        findings={bench.byPage}
        pointing={bench.pointing}
        zoom={zoom}
        onZoom={bench.setZoom}
        goal={bench.goal}
        onPage={bench.setPage}
        tool={layerOf(bench)}
      />
    </div>
  );
}

/** Returns the layer that the tool draws over a page. */
function layerOf({ tool, page, review, add }: BenchState) {
  if (tool === 'move') return undefined;
  return (sheet: Sheet, scale: number) =>
    tool === 'box' ? (
      <BoxLayer
        {...{ sheet, scale }}
        isCurrent={sheet.page === page}
        onAdd={(on, box) => void add({ page: on, boxes: [box] })}
      />
    ) : (
      <WordLayer
        sheet={sheet}
        jobId={review.job_id}
        isCurrent={sheet.page === page}
        onAdd={(on, words) => void add({ page: on, words })}
      />
    );
}
