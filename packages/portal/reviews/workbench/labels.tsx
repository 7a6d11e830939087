import { documentLabelNames, documentLabels } from '@scriptorium/contracts/documents/labels';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { useSession } from '../../shell/session.tsx';
import { percentOf } from '../words.ts';
import { Ended } from './ending/ended.tsx';
import { Refusal } from './ending/refusal.tsx';
import { Head } from './head.tsx';
import { Viewer } from './pages/viewer.tsx';
import { type Pointing, usePointing } from './pointing.ts';
import { useHold } from './store/use-work.ts';
import type { Work } from './store/work.ts';

/** Chooses the label of a document. */
export function LabelBench(props: { work: Work; review: ReviewRecord; onReload: () => void }) {
  const { work, review, onReload } = props;
  const { can } = useSession();
  const hold = useHold(work);
  const mayDecide = review.state === 'open' && hold !== 'other' && can('documents:review');
  const [zoom, setZoom] = useState(100);
  const pointing: Pointing = usePointing(() => undefined);
  const found = [...work.findings()].sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
  const [chosen, setChosen] = useState<string | undefined>();
  const label = documentLabelNames.find(
    (name) => name === (chosen ?? review.label ?? found[0]?.type),
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
    if (answer) work.put(answer.data);
  };
  return (
    <>
      <Head {...{ work, review, mayDecide, onReload }} />
      <div class="bench-notices">
        <Refusal problem={problem} onReload={onReload} />
      </div>
      <div class="bench">
        <div class="bench-main">
          <Viewer
            objectId={review.source_object_id}
            pages={work.held.pages}
            findings={new Map()}
            {...{ pointing, zoom }}
            onZoom={setZoom}
            goal={undefined}
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
              onChange={setChosen}
              options={documentLabelNames.map((name) => [name, titleOf(name, found)])}
            />
            {mayDecide && (
              <Button type="submit" primary busy={busy} disabled={!label}>
                Submit review
              </Button>
            )}
            <Ended review={review} />
          </section>
        </form>
      </div>
    </>
  );
}

/** Returns a label with its score, if it was found. */
function titleOf(name: string, found: readonly { type: string; score: number | null }[]): string {
  const score = found.find(({ type }) => type === name)?.score;
  return typeof score === 'number' ? `${name} (${percentOf(score)})` : name;
}
