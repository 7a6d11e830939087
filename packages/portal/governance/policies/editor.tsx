import { useMemo, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useAction, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { DraftNotice } from '../../kit/drafts/draft-notice.tsx';
import { useDraft } from '../../kit/drafts/use-draft.ts';
import { faultAt, faultsIn } from '../../kit/fields/field.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemNotice, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import {
  draftOf,
  emptyDraft,
  impactRequest,
  isPolicyDraft,
  type PolicyDraft,
  policyBody,
  updatePolicyRequest,
} from './draft.ts';
import { PolicyForm } from './policy-form.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { DryRun } from './trial/dry-run.tsx';

export function NewPolicy() {
  return <Editor id={null} etag="" initial={emptyDraft} />;
}

export function EditPolicy({ id }: { id: string }) {
  const { data, etag, problem, reload } = useResource(requestFor('getPolicy', { id }));
  if (problem) return <ProblemState problem={problem} onRetry={reload} />;
  if (!data || etag === null) return <Loading what="policy" />;
  return <Editor key={etag} id={id} etag={etag} initial={draftOf(data)} onReload={reload} />;
}

/** Edits a policy. The draft has no effect until it is saved, but can be tested with a dry run. */
function Editor(props: {
  id: string | null;
  etag: string;
  initial: PolicyDraft;
  /** Reloads the saved policy. */
  onReload?: () => void;
}) {
  const { id, initial } = props;
  const { can } = useSession();
  const [, navigate] = useLocation();
  // The etag is that of the edited version, so that changes by others are noticed.
  const edited = useDraft(
    `policy ${id ?? 'new'}`,
    { draft: initial, etag: props.etag },
    { isValid: ({ draft }) => isPolicyDraft(draft) },
  );
  const { draft, etag } = edited.value;
  const impact = useAction({ quiet: true });
  const [reviewedImpact, setReviewedImpact] = useState<
    Parameters<typeof SaveDialog>[0]['impact'] | null
  >(null);
  const backPath = id === null ? '/' : `/${id}`;
  const drafts = useMemo(() => [{ draft, id }], [draft, id]);
  if (!can('policies:write')) {
    return (
      <Empty title="Access denied">
        Editing policies requires the scope <code>policies:write</code>.
      </Empty>
    );
  }
  // The errors are those of the impact request, which contains the draft under `with`.
  const fault = (pointer: string, exactly?: 'exactly') =>
    (exactly ? faultAt : faultsIn)(impact.problem, `/with${pointer}`);
  const review = async () => {
    const response = await impact.run(impactRequest(id, draft));
    if (response) setReviewedImpact(response.data);
  };
  const saveRequest = () =>
    id === null
      ? requestFor('createPolicy', { body: policyBody(draft) })
      : updatePolicyRequest(id, draft, etag);
  return (
    <div class="stack">
      <PageHead
        title={id === null ? 'New policy' : 'Edit policy'}
        crumbs={[['Policies', '/']]}
        about={
          <Link href={backPath} onClick={() => edited.reset()}>
            Discard changes
          </Link>
        }
        calls={[
          [id === null ? 'Create policy' : 'Update policy', saveRequest()],
          ['Get impact', impactRequest(id, draft)],
        ]}
      />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void review();
        }}
      >
        <DraftNotice draft={edited} />
        <PolicyForm draft={draft} onChange={(draft) => edited.update({ draft })} fault={fault} />
        <ProblemNotice problem={impact.problem} />
        <div class="row policy-actions">
          <ButtonLink href={backPath} onClick={() => edited.reset()}>
            Cancel
          </ButtonLink>
          <Button primary type="submit" busy={impact.busy}>
            Review and save
          </Button>
        </div>
      </form>
      <section class="card stack">
        <h2>Dry run</h2>
        <p class="soft">Evaluates this draft together with all other policies.</p>
        <DryRun drafts={drafts} />
      </section>
      {reviewedImpact && (
        <SaveDialog
          id={id}
          draft={draft}
          impact={reviewedImpact}
          request={saveRequest()}
          onEtag={(etag) => edited.update({ etag })}
          onDiscard={() => {
            edited.reset();
            setReviewedImpact(null);
            props.onReload?.();
          }}
          onClose={() => setReviewedImpact(null)}
          onSaved={(policy) => {
            edited.reset(edited.value);
            toast('good', `Policy “${policy.name}” saved.`);
            navigate(`/${policy.id}`);
          }}
        />
      )}
    </div>
  );
}
