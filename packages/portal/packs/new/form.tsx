import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ApiForm } from '../../kit/api-form.tsx';
import { Button } from '../../kit/button.tsx';
import { DraftNotice } from '../../kit/drafts/draft-notice.tsx';
import { useDraft } from '../../kit/drafts/use-draft.ts';
import { faultAt, faultsIn, TextField } from '../../kit/fields/field.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { follow } from '../../notices/followed-ids.ts';
import { bodyOf, missingMessageOf, type PackDraft } from './draft.ts';
import { OptionFields } from './options.tsx';
import { SourceFields } from './source.tsx';

/** The form that builds a pack. With `refreshes`, the new pack lists the changes since that one. */
export function PackForm({ initial, refreshes }: { initial: PackDraft; refreshes: string | null }) {
  const edited = useDraft(
    `pack ${JSON.stringify([refreshes, initial.collectionId, initial.objectIds])}`,
    initial,
  );
  const draft = edited.value;
  const { run, busy, problem } = useAction({ quiet: true });
  const [, navigate] = useLocation();
  const missingMessage = missingMessageOf(draft);
  const request = requestFor('createPack', { body: bodyOf(draft, refreshes) });
  const submit = async (): Promise<void> => {
    if (missingMessage) return;
    const response = await run(request);
    if (!response) return;
    edited.reset(draft);
    follow(response.data.id);
    toast('good', 'Pack started.');
    navigate(`/${response.data.id}`);
  };
  return (
    <ApiForm onSubmit={submit}>
      <PageHead
        title={refreshes ? 'Refresh pack' : 'Build pack'}
        calls={[['Build pack', request]]}
      />
      <DraftNotice draft={edited} />
      {refreshes && (
        <p class="notice">
          Only new documents are processed. The new pack lists what has changed since{' '}
          <ResourceLink id={refreshes} />.
        </p>
      )}
      <section class="card">
        <TextField
          label="Name"
          hint="Also the name of the archive."
          value={draft.name}
          fault={faultAt(problem, '/name')}
          onInput={(name) => edited.update({ name })}
        />
      </section>
      <SourceFields draft={draft} onChange={edited.update} problem={problem} />
      <OptionFields
        draft={draft}
        onChange={edited.update}
        faultOf={(name) => faultsIn(problem, name)}
      />
      <ProblemNotice problem={problem} />
      <div class="row">
        <Button type="submit" primary busy={busy} disabled={missingMessage !== undefined}>
          {refreshes ? 'Refresh pack' : 'Build pack'}
        </Button>
        {missingMessage && <span class="soft">{missingMessage}</span>}
      </div>
    </ApiForm>
  );
}
