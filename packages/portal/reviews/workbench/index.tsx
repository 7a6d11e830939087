import { useState } from 'preact/hooks';
import { useName } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Bench } from './bench.tsx';
import { LabelBench } from './label-bench.tsx';
import { useReviewWork } from './store/use-review-work.ts';
import './workbench.css';

/** The workbench of one review: decides about findings on the pages, and submits. */
export default function Workbench({ id }: { id: string }) {
  const [reloadCount, setReloadCount] = useState(0);
  return (
    <LoadedReview key={reloadCount} id={id} onReload={() => setReloadCount(reloadCount + 1)} />
  );
}

function LoadedReview({ id, onReload }: { id: string; onReload: () => void }) {
  const work = useReviewWork(id);
  const review = work.held.review;
  const problem = work.held.problem;
  // Waits for the name, because a header of two lines would move the content below it.
  const name = useName(review?.source_object_id);
  if (problem || !review || name === undefined) {
    return (
      <>
        <PageHead title="Review" crumbs={[['Reviews', '/']]} />
        {problem ? (
          <ProblemState problem={problem} onRetry={onReload} />
        ) : (
          <Loading what="review" lines={8} />
        )}
      </>
    );
  }
  const benchProps = { work, review, onReload };
  return review.op === 'classify' ? <LabelBench {...benchProps} /> : <Bench {...benchProps} />;
}
