import type { WebhookWithSecret } from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { DraftNotice } from '../../../kit/drafts/draft-notice.tsx';
import { useDraft } from '../../../kit/drafts/use-draft.ts';
import { PageHead } from '../../../kit/page-head.tsx';
import { Empty, ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import { SecretDialog } from '../../secret-dialog.tsx';
import { VerifyInstructions } from '../verify-instructions.tsx';
import { createBody, webhookFields, withoutSecrets } from './fields.ts';
import { WebhookForm } from './webhook-form.tsx';

export function NewWebhook() {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const edited = useDraft('webhook new', webhookFields(), { withoutSecrets });
  const fields = edited.value;
  const [webhookWithSecret, setWebhookWithSecret] = useState<WebhookWithSecret | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const finish = (webhook: WebhookWithSecret) => {
    toast('good', 'Webhook created. Send a test to try it.');
    navigate(`/${webhook.id}`);
  };
  const create = async () => {
    const response = await run(requestFor('createWebhook', { body: createBody(fields) }));
    if (!response) return;
    edited.reset(fields);
    if (response.data.secret === null) finish(response.data);
    else setWebhookWithSecret(response.data);
  };
  if (!can('webhooks:write')) {
    return (
      <Empty title="Access denied">
        Creating webhooks requires the scope <code>webhooks:write</code>.
      </Empty>
    );
  }
  return (
    <>
      <PageHead
        title="Create webhook"
        crumbs={[['Webhooks', '/']]}
        calls={[['Create webhook', requestFor('createWebhook', { body: createBody(fields) })]]}
      />
      <form
        class="dev-form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <DraftNotice draft={edited} />
        <WebhookForm fields={fields} onChange={edited.set} problem={problem} />
        <ProblemNotice problem={problem} />
        <div class="row">
          <Button primary type="submit" busy={busy} disabled={fields.event_types.length === 0}>
            Create webhook
          </Button>
          <ButtonLink href="/" onClick={() => edited.reset()}>
            Cancel
          </ButtonLink>
          {fields.event_types.length === 0 && (
            <span class="soft">Select at least one event type.</span>
          )}
        </div>
      </form>
      {webhookWithSecret?.secret && (
        <SecretDialog
          title="Webhook secret"
          what="secret"
          secret={webhookWithSecret.secret}
          onClose={() => finish(webhookWithSecret)}
        >
          <VerifyInstructions />
        </SecretDialog>
      )}
    </>
  );
}
