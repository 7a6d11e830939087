import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useLocation } from 'wouter-preact';
import { type LoadedResource, useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { DraftNotice } from '../../../kit/drafts/draft-notice.tsx';
import { useDraft } from '../../../kit/drafts/use-draft.ts';
import { PageHead } from '../../../kit/page-head.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { webhookTitle } from '../../../kit/webhook-title.ts';
import { patchBody, type WebhookFields, webhookFields, withoutSecrets } from './fields.ts';
import { WebhookForm } from './webhook-form.tsx';

interface EditProps {
  webhook: WebhookRecord;
  resource: LoadedResource<WebhookRecord>;
}

interface EditedWebhook {
  fields: WebhookFields;
  version: number | null;
}

export function EditWebhook({ webhook, resource }: EditProps) {
  const [, navigate] = useLocation();
  // The version is the edited one, so that changes by others are noticed. Null: the latest.
  const edited = useDraft<EditedWebhook>(
    `webhook ${webhook.id}`,
    { fields: webhookFields(webhook), version: webhook.version },
    { withoutSecrets: (value) => ({ ...value, fields: withoutSecrets(value.fields) }) },
  );
  const { fields } = edited.value;
  const version = edited.value.version ?? webhook.version;
  const { run, busy, problem, clearProblem } = useAction({ quiet: true });
  const patch = patchBody(webhook, fields);
  const isUnchanged = Object.keys(patch).length === 0;
  const save = async () => {
    const response = await run(
      requestFor('updateWebhook', { id: webhook.id, version, body: patch }),
    );
    if (!response) return;
    edited.reset(edited.value);
    resource.replace(response);
    toast('good', `Webhook “${webhookTitle(response.data)}” updated.`);
    navigate(`/${webhook.id}/settings`);
  };
  const reloadVersion = () => {
    clearProblem();
    edited.update({ version: null });
    resource.reload();
  };
  const discard = () => {
    edited.reset();
    window.location.reload();
  };
  return (
    <>
      <PageHead
        title="Edit webhook"
        crumbs={[
          ['Webhooks', '/'],
          [webhookTitle(webhook), `/${webhook.id}`],
        ]}
        calls={[
          ['Update webhook', requestFor('updateWebhook', { id: webhook.id, version, body: patch })],
        ]}
      />
      <form
        class="dev-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <DraftNotice draft={edited} />
        <WebhookForm
          fields={fields}
          onChange={(fields) => edited.update({ fields })}
          problem={problem}
        />
        {problem?.code === 'etag_mismatch' ? (
          <div class="notice warn row" role="alert">
            <p>This webhook was changed after you opened it. Your changes were not saved yet.</p>
            <Button onClick={reloadVersion}>Apply mine to the new version</Button>
            <Button onClick={discard}>Discard mine</Button>
          </div>
        ) : (
          <ProblemNotice problem={problem} />
        )}
        <div class="row">
          <Button
            primary
            type="submit"
            busy={busy || resource.loading}
            disabled={isUnchanged || fields.event_types.length === 0}
          >
            Save
          </Button>
          <ButtonLink href={`/${webhook.id}/settings`} onClick={() => edited.reset()}>
            Cancel
          </ButtonLink>
          {isUnchanged && <span class="soft">No changes</span>}
        </div>
      </form>
    </>
  );
}
