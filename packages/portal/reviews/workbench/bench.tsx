import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FindingRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Compare } from '../../kit/compare/compare.tsx';
import { BenchPages } from './bench-pages.tsx';
import { type Comparison, ReviewOutcome } from './ending/outcome.tsx';
import { RejectedChangeNotice } from './ending/refusal.tsx';
import { ReviewHead } from './head.tsx';
import { Legend } from './shortcuts.tsx';
import { CurrentFinding } from './side/current.tsx';
import { FilterForm } from './side/filters.tsx';
import { FindingList } from './side/list.tsx';
import { ReviewStatus } from './status.tsx';
import type { ReviewWork } from './store/review-work.ts';
import { BenchText } from './text/bench-text.tsx';
import { RedactEverywhereDialog } from './tools/everywhere.tsx';
import { type BenchState, useBench } from './use-bench.ts';

/** Reviews the findings to remove from a file. */
export function Bench(props: { work: ReviewWork; review: ReviewRecord; onReload: () => void }) {
  const { work, review, onReload } = props;
  const bench = useBench(work, review);
  const { mayDecide, type, open, setOpen } = bench;
  const close = (): void => setOpen(undefined);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const hasPages = !bench.lacksPictures && work.held.pages.length > 0;
  return (
    <>
      <ReviewHead {...{ work, review, mayDecide, onReload, open, setOpen }} hasLegend />
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
        <RejectedChangeNotice problem={work.rejection()} onReload={onReload} />
        {bench.lacksPictures && !bench.hasText && (
          <p class="notice">
            Files of this type have no page pictures. The findings are in the list.
          </p>
        )}
      </div>
      <ReviewStatus bench={bench} />
      <div class={`bench${bench.lacksPictures && !bench.hasText ? ' plain' : ''}`}>
        {comparison && <Compare {...comparison} pages={work.held.pages} />}
        {!comparison &&
          (bench.hasText ? (
            <BenchText bench={bench} />
          ) : (
            !bench.lacksPictures && <BenchPages bench={bench} />
          ))}
        <SidePanel
          bench={bench}
          isComparing={comparison !== null}
          onCompare={hasPages ? setComparison : undefined}
        />
      </div>
      {open === 'legend' && <Legend onClose={close} />}
      {open === 'everywhere' && (
        <RedactEverywhereDialog {...{ work, type }} onType={bench.setType} onClose={close} />
      )}
    </>
  );
}

function SidePanel(props: {
  bench: BenchState;
  isComparing: boolean;
  onCompare: ((comparison: Comparison | null) => void) | undefined;
}) {
  const { bench, isComparing, onCompare } = props;
  const { work, review, current, mayDecide, shown, groups, pointing, decisions } = bench;
  const { isComplete } = work.held;
  const initialState = useRef(review.state);
  return (
    <div class="bench-side">
      <div class="bench-top">
        <CurrentFinding
          {...{ finding: current, group: decisions.group, mayDecide, isComplete }}
          canUndo={work.canUndo()}
          actions={decisions}
        />
        {review.state !== 'open' && (
          <ReviewOutcome
            {...{ review, isComparing, onCompare }}
            onResult={bench.setOutputId}
            isNew={initialState.current === 'open'}
          />
        )}
      </div>
      <FilterForm
        {...{ filter: bench.filter, types: bench.types, order: bench.order }}
        onChange={bench.setFilter}
        onOrder={bench.setOrder}
      />
      <BulkDecisions
        findings={shown}
        total={bench.all.length}
        valueCount={groups.length}
        isComplete={isComplete}
        mayDecide={mayDecide}
        onDecide={(verb) =>
          void work.decide(
            shown.map(({ id }) => id),
            verb,
          )
        }
      />
      <FindingList groups={groups} findingFocus={pointing} onStep={decisions.step} />
    </div>
  );
}

/** Decides all findings that match the filter. */
function BulkDecisions(props: {
  findings: readonly FindingRecord[];
  /** The number of all findings loaded. */
  total: number;
  /** The number of different values among `findings`. */
  valueCount: number;
  isComplete: boolean;
  mayDecide: boolean;
  onDecide: (verb: 'accept' | 'reject') => void;
}) {
  const { findings, total, valueCount, isComplete, mayDecide, onDecide } = props;
  const isEnabled = isComplete && findings.some(({ source }) => source === 'detector');
  return (
    <div class="bench-bulk">
      <div class="row soft">
        <span role="status">
          {findings.length === total
            ? `${total.toLocaleString()} findings`
            : `${findings.length.toLocaleString()} of ${total.toLocaleString()} findings`}
          {!isComplete && ', loading…'}
        </span>
        <span>{pluralise(valueCount, 'value')}</span>
      </div>
      {mayDecide && (
        <div class="row">
          <Button small disabled={!isEnabled} onClick={() => onDecide('accept')}>
            Accept all shown
          </Button>
          <Button small disabled={!isEnabled} onClick={() => onDecide('reject')}>
            Reject all shown
          </Button>
        </div>
      )}
    </div>
  );
}
