import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { ZoomButtons } from '../../../kit/zoom-buttons.tsx';
import { SideButton } from '../bench-pages.tsx';
import { PageStrip } from '../pages/strip.tsx';
import { KeyHint } from '../shortcuts.tsx';
import { typeOptions } from '../tools/use-tool-keys.ts';
import type { BenchState } from '../use-bench.ts';
import type { TextRange } from './selection.ts';
import { TextViewer } from './viewer.tsx';

/** The text of a file with its findings, and the tools that add more. */
export function BenchText({ bench }: { bench: BenchState }) {
  const { work, review, pending, page, setGoal, zoom, zoomBy, tool, take, type } = bench;
  const [selectedRange, setSelectedRange] = useState<TextRange | undefined>();
  const { pages } = work.held;
  const add = ({ page: addedPage, start, end }: TextRange): void => {
    window.getSelection()?.removeAllRanges();
    void bench.add({ page: addedPage, range: { start, end } });
  };
  const isWordTool = tool === 'words';
  return (
    <div class="bench-main">
      {pages.length > 1 && (
        <PageStrip
          pages={pages}
          pendingCount={(one) => pending.get(one) ?? 0}
          current={page}
          onSelect={(one) => setGoal({ page: one })}
        />
      )}
      <div class="bench-zoom">
        {bench.mayDecide && (
          <section class="bench-tools" aria-label="Add findings">
            <Button small pressed={isWordTool} onClick={() => take(isWordTool ? 'move' : 'words')}>
              Select words <KeyHint of="W" />
            </Button>
            <Button small onClick={() => bench.setOpen('everywhere')}>
              Redact everywhere… <KeyHint of="E" />
            </Button>
            {(selectedRange || isWordTool) && (
              <SelectField
                label="Type to add"
                value={type}
                onChange={bench.setType}
                options={typeOptions}
              />
            )}
            {selectedRange && (
              <Button small primary onClick={() => add(selectedRange)}>
                Redact selection
              </Button>
            )}
            {isWordTool ? (
              <p class="soft">
                Choose words with the left and right arrow keys (with Shift, several), and press
                Enter.
              </p>
            ) : (
              !selectedRange && <p class="soft">Select text to add it.</p>
            )}
          </section>
        )}
        <div class="row">
          <SideButton bench={bench} />
          <ZoomButtons zoom={zoom} onZoom={zoomBy} />
        </div>
      </div>
      <TextViewer
        reviewId={review.id}
        pages={pages}
        findings={bench.byPage}
        findingFocus={bench.pointing}
        isPreview={bench.side !== 'original'}
        zoom={zoom}
        scrollTarget={bench.goal}
        onPage={bench.setPage}
        onSelect={setSelectedRange}
        hasWordKeys={isWordTool}
        onAdd={add}
      />
    </div>
  );
}
