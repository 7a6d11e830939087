import type { FindingRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Compare } from '../../kit/compare/compare.tsx';
import { BenchPages } from './bench-pages.tsx';
import { type Compared, Outcome } from './ending/outcome.tsx';
import { Refusal } from './ending/refusal.tsx';
import { Head, Status } from './head.tsx';
import { Legend } from './keys.tsx';
import { Current } from './side/current.tsx';
import { Filters } from './side/filters.tsx';
import { FindingList } from './side/list.tsx';
import type { Work } from './store/work.ts';
import { BenchText } from './text/bench-text.tsx';
import { Everywhere } from './tools/everywhere.tsx';
import { type BenchState, useBench } from './use-bench.ts';

/** Reviews the findings to remove from a file. */
export function Bench(props: { work: Work; review: ReviewRecord; onReload: () => void }) {
  const { work, review, onReload } = props;
  const bench = useBench(work, review);
  const { mayDecide, type, open, setOpen } = bench;
  const close = (): void => setOpen(undefined);
  const [compared, setCompared] = useState<Compared | null>(null);
  const hasPages = !bench.lacksPictures && work.held.pages.length > 0;
  return (
    <>
      <Head {...{ work, review, mayDecide, onReload }} onLegend={() => setOpen('legend')} />
      <div class="bench-notices">
        {bench.hold === 'other' && review.state === 'open' && (
          <div class="notice warn row" role="status">
            <span>
              Another reviewer has claimed this review. You can read it now, and make decisions once
              they release it.
            </span>
            <Button small onClick={onReload}>
              Reload review
            </Button>
          </div>
        )}
        <Refusal problem={work.refusal()} onReload={onReload} />
        {bench.lacksPictures && !bench.hasText && (
          <p class="notice">This file type has no page pictures. Its findings are listed.</p>
        )}
      </div>
      <Status work={work} review={review} />
      <div class={`bench${bench.lacksPictures && !bench.hasText ? ' plain' : ''}`}>
        {compared && <Compare {...compared} pages={work.held.pages} />}
        {!compared &&
          (bench.hasText ? (
            <BenchText bench={bench} />
          ) : (
            !bench.lacksPictures && <BenchPages bench={bench} />
          ))}
        <Side
          bench={bench}
          isComparing={compared !== null}
          onCompare={hasPages ? setCompared : undefined}
        />
      </div>
      {open === 'legend' && <Legend onClose={close} />}
      {open === 'everywhere' && (
        <Everywhere {...{ work, type }} onType={bench.setType} onClose={close} />
      )}
    </>
  );
}

function Side(props: {
  bench: BenchState;
  isComparing: boolean;
  onCompare: ((compared: Compared | null) => void) | undefined;
}) {
  const { bench, isComparing, onCompare } = props;
  const { work, review, current, mayDecide, shown, pointing, step } = bench;
  const atFirst = useRef(review.state);
  return (
    <div class="bench-side">
      {review.state !== 'open' && (
        <Outcome {...{ review, isComparing, onCompare }} isNew={atFirst.current === 'open'} />
      )}
      <Current
        finding={current}
        mayDecide={mayDecide}
        canUndo={work.canUndo()}
        onDecide={bench.decide}
        onRemove={() => current && void work.remove(current)}
        onRetype={(type) => current && void work.retype(current, type)}
        onUndo={() => void bench.undo()}
        onStep={step}
      />
      <Filters filter={bench.filter} types={bench.types} onChange={bench.setFilter} />
      <Bulk
        findings={shown}
        of={bench.all.length}
        isComplete={work.held.isComplete}
        mayDecide={mayDecide}
        onDecide={(verb) =>
          void work.decide(
            shown.map(({ id }) => id),
            verb,
          )
        }
      />
      <FindingList findings={shown} pointing={pointing} onStep={step} />
    </div>
  );
}

/** Decides all findings that match the filter. */
function Bulk(props: {
  findings: readonly FindingRecord[];
  /** The number of all findings loaded. */
  of: number;
  isComplete: boolean;
  mayDecide: boolean;
  onDecide: (verb: 'accept' | 'reject') => void;
}) {
  const { findings, of, isComplete, mayDecide, onDecide } = props;
  const isUsable = isComplete && findings.some(({ source }) => source === 'detector');
  return (
    <div class="bench-bulk">
      <span class="soft" role="status">
        {findings.length === of
          ? `${of.toLocaleString()} findings`
          : `${findings.length.toLocaleString()} of ${of.toLocaleString()} findings`}
        {!isComplete && ', loading…'}
      </span>
      {mayDecide && (
        <div class="row">
          <Button small disabled={!isUsable} onClick={() => onDecide('accept')}>
            Accept all shown
          </Button>
          <Button small disabled={!isUsable} onClick={() => onDecide('reject')}>
            Reject all shown
          </Button>
        </div>
      )}
    </div>
  );
}
