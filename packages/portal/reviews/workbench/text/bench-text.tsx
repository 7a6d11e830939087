import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { ZoomButtons } from '../../../kit/zoom-buttons.tsx';
import { KeyHint } from '../keys.tsx';
import { PageStrip } from '../pages/strip.tsx';
import { typeOptions } from '../tools/use-tool-keys.ts';
import type { BenchState } from '../use-bench.ts';
import type { Selected } from './selection.ts';
import { TextViewer } from './viewer.tsx';

/** The text of a file with its findings, and the tools that add more. */
export function BenchText({ bench }: { bench: BenchState }) {
  const { work, review, pending, page, setGoal, zoom, zoomBy, tool, take, type } = bench;
  const [selected, setSelected] = useState<Selected | undefined>();
  const { pages } = work.held;
  const add = ({ page: on, start, end }: Selected): void => {
    window.getSelection()?.removeAllRanges();
    void bench.add({ page: on, range: { start, end } });
  };
  const hasWords = tool === 'words';
  return (
    <div class="bench-main">
      {pages.length > 1 && (
        <PageStrip
          pages={pages}
          pendingOn={(one) => pending.get(one) ?? 0}
          current={page}
          onGo={(one) => setGoal({ page: one })}
        />
      )}
      <div class="bench-zoom">
        {bench.mayDecide && (
          <section class="bench-tools" aria-label="Add findings">
            <Button small pressed={hasWords} onClick={() => take(hasWords ? 'move' : 'words')}>
              Select words <KeyHint of="W" />
            </Button>
            <Button small onClick={() => bench.setOpen('everywhere')}>
              Redact everywhere… <KeyHint of="E" />
            </Button>
            {(selected || hasWords) && (
              <SelectField
                label="Type to add"
                value={type}
                onChange={bench.setType}
                options={typeOptions}
              />
            )}
            {selected && (
              <Button small primary onClick={() => add(selected)}>
                Redact selection
              </Button>
            )}
            {hasWords ? (
              <p class="soft">
                Choose words with the left and right arrow keys (with Shift, several), and press
                Enter.
              </p>
            ) : (
              !selected && <p class="soft">Select text to add it.</p>
            )}
          </section>
        )}
        <ZoomButtons zoom={zoom} onZoom={zoomBy} />
      </div>
      <TextViewer
        reviewId={review.id}
        pages={pages}
        findings={bench.byPage}
        pointing={bench.pointing}
        zoom={zoom}
        goal={bench.goal}
        onPage={bench.setPage}
        onSelect={setSelected}
        wordKeys={hasWords}
        onAdd={add}
      />
    </div>
  );
}
