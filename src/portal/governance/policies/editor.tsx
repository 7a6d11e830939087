import { useMemo, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useAction, useAnswer } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { faultAt, faultsIn } from '../../kit/field.tsx';
import { Empty, Loading, ProblemNotice, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { PolicyForm } from './policy-form.tsx';
import {
  createPolicy,
  type Draft,
  draftOf,
  emptyDraft,
  getPolicy,
  policyImpact,
  updatePolicy,
} from './requests.ts';
import { SaveDialog } from './save-dialog.tsx';
import { DryRun } from './trial/dry-run.tsx';

export function NewPolicy() {
  return <Editor id={null} etag="" start={emptyDraft} />;
}

export function EditPolicy({ id }: { id: string }) {
  const { data, etag, problem, reload } = useAnswer(getPolicy(id));
  if (problem) return <ProblemState problem={problem} onRetry={reload} />;
  if (!data || etag === null) return <Loading what="the policy" />;
  return <Editor key={etag} id={id} etag={etag} start={draftOf(data)} onTheirs={reload} />;
}

/** A policy being written: nothing holds until it is saved, but all of it can be tried. */
function Editor(props: {
  id: string | null;
  etag: string;
  start: Draft;
  /** Starts again from what is saved. */
  onTheirs?: () => void;
}) {
  const { id, start } = props;
  const { can } = useSession();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(start);
  const [etag, setEtag] = useState(props.etag);
  const impact = useAction({ quiet: true });
  const [reviewed, setReviewed] = useState<Parameters<typeof SaveDialog>[0]['impact'] | null>(null);
  const back = id === null ? '/' : `/${id}`;
  const drafts = useMemo(() => [{ draft, id }], [draft, id]);
  if (!can('policies:write')) {
    return (
      <Empty title="This key may not change policies">
        It needs the scope <code>policies:write</code>.
      </Empty>
    );
  }
  // What is wrong with the draft is told of it in its place in the request.
  const fault = (pointer: string, exactly?: 'exactly') =>
    (exactly ? faultAt : faultsIn)(impact.problem, `/with${pointer}`);
  const review = async () => {
    const answer = await impact.run(policyImpact(id, draft));
    if (answer) setReviewed(answer.data);
  };
  const save = () => (id === null ? createPolicy(draft) : updatePolicy(id, draft, etag));
  return (
    <div class="stack">
      <div class="page-head">
        <div>
          <h1>{id === null ? 'New policy' : 'Edit policy'}</h1>
          <p>
            <Link href={back}>Back without saving</Link>
          </p>
        </div>
        <ApiCalls
          calls={[
            [id === null ? 'Make this policy' : 'Save this policy', save()],
            ['Count what it would refuse', policyImpact(id, draft)],
          ]}
        />
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void review();
        }}
      >
        <PolicyForm draft={draft} onChange={setDraft} fault={fault} />
        <ProblemNotice problem={impact.problem} />
        <div class="row policy-actions">
          <ButtonLink href={back}>Cancel</ButtonLink>
          <Button primary type="submit" busy={impact.busy}>
            Review and save
          </Button>
        </div>
      </form>
      <section class="card stack">
        <h2>Would this be allowed?</h2>
        <p class="soft">Asked with this policy as it stands here, beside all others.</p>
        <DryRun drafts={drafts} />
      </section>
      {reviewed && (
        <SaveDialog
          id={id}
          draft={draft}
          impact={reviewed}
          request={save()}
          onEtag={setEtag}
          onTheirs={() => {
            setReviewed(null);
            props.onTheirs?.();
          }}
          onClose={() => setReviewed(null)}
          onSaved={(policy) => {
            toast('good', `The policy “${policy.name}” is saved.`);
            navigate(`/${policy.id}`);
          }}
        />
      )}
    </div>
  );
}
