import { documentLabelNames, documentLabels } from '@scriptorium/contracts/documents/labels';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatPercent } from '../finding-text.ts';
import { EndedNotice } from './ending/ended.tsx';
import { RejectedChangeNotice } from './ending/refusal.tsx';
import { type FindingFocus, useFindingFocus } from './finding-focus.ts';
import { ReviewHead } from './head.tsx';
import { Viewer } from './pages/viewer.tsx';
import type { ReviewWork } from './store/review-work.ts';
import { useClaim } from './store/use-review-work.ts';
import type { BenchDialog } from './use-bench.ts';

/** Chooses the label of a document. */
export function LabelBench(props: {
  work: ReviewWork;
  review: ReviewRecord;
  onReload: () => void;
}) {
  const { work, review, onReload } = props;
  const { can } = useSession();
  const claim = useClaim(work);
  const mayDecide = review.state === 'open' && claim !== 'other' && can('documents:review');
  const [zoom, setZoom] = useState(100);
  const [open, setOpen] = useState<BenchDialog | undefined>();
  const findingFocus: FindingFocus = useFindingFocus(() => undefined);
  const labelFindings = [...work.findings()].sort(
    (one, other) => (other.score ?? 0) - (one.score ?? 0),
  );
  const [selectedLabel, setSelectedLabel] = useState<string | undefined>();
  const label = documentLabelNames.find(
    (name) => name === (selectedLabel ?? review.label ?? labelFindings[0]?.type),
  );
  const { run, busy, problem } = useAction({ quiet: true });
  const submit = async (): Promise<void> => {
    if (!label) return;
    const answer = await run(
      requestFor('submitReview', {
        id: review.id,
        version: review.version,
        body: { pending: 'accept', label },
      }),
    );
    if (answer) await work.put(answer.data);
  };
  return (
    <>
      <ReviewHead {...{ work, review, mayDecide, onReload, open, setOpen }} />
      <div class="bench-notices">
        <RejectedChangeNotice problem={problem} onReload={onReload} />
      </div>
      <div class="bench">
        <div class="bench-main">
          <Viewer
            objectId={review.source_object_id}
            pages={work.held.pages}
            findings={new Map()}
            {...{ pointing: findingFocus, zoom }}
            onZoom={setZoom}
            scrollTarget={undefined}
            side="original"
            preload={[]}
            onPage={() => undefined}
          />
        </div>
        <form
          class="bench-side"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <section class="bench-current stack" aria-label="Label">
            <SelectField
              label="Label of this document"
              hint={label ? documentLabels[label] : 'Choose the correct label.'}
              value={label ?? ''}
              onChange={setSelectedLabel}
              options={documentLabelNames.map((name) => [name, labelTitle(name, labelFindings)])}
            />
            {mayDecide && (
              <Button type="submit" primary busy={busy} disabled={!label}>
                Submit review
              </Button>
            )}
            <EndedNotice review={review} />
          </section>
        </form>
      </div>
    </>
  );
}

/** Returns a label, with its score if the classifier suggested it. */
function labelTitle(
  name: string,
  labelFindings: readonly { type: string; score: number | null }[],
): string {
  const score = labelFindings.find(({ type }) => type === name)?.score;
  return typeof score === 'number' ? `${name} (${formatPercent(score)})` : name;
}
