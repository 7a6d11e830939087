import { useState } from 'preact/hooks';
import { useName } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Bench } from './bench.tsx';
import { LabelBench } from './labels.tsx';
import { useWork } from './store/use-work.ts';
import './workbench.css';

/** The workbench of one review: decides about findings on the pages, and submits. */
export default function Workbench({ id }: { id: string }) {
  const [round, setRound] = useState(0);
  return <Opened key={round} id={id} onReload={() => setRound(round + 1)} />;
}

function Opened({ id, onReload }: { id: string; onReload: () => void }) {
  const work = useWork(id);
  const review = work.held.review;
  const problem = work.held.problem;
  // The name is part of the header, which would move the rest if it took two lines.
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
  const parts = { work, review, onReload };
  return review.op === 'classify' ? <LabelBench {...parts} /> : <Bench {...parts} />;
}
