import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type LoadedResource, useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { patchBody, webhookFields } from './fields.ts';
import { WebhookForm } from './webhook-form.tsx';

interface EditProps {
  webhook: WebhookRecord;
  resource: LoadedResource<WebhookRecord>;
}

export function EditWebhook({ webhook, resource }: EditProps) {
  const [, navigate] = useLocation();
  const [fields, setFields] = useState(() => webhookFields(webhook));
  const { run, busy, problem, clearProblem } = useAction({ quiet: true });
  const patch = patchBody(webhook, fields);
  const isUnchanged = Object.keys(patch).length === 0;
  const save = async () => {
    const response = await run(
      requestFor('updateWebhook', { id: webhook.id, version: webhook.version, body: patch }),
    );
    if (!response) return;
    resource.replace(response);
    toast('good', 'Webhook updated.');
    navigate(`/${webhook.id}/settings`);
  };
  const reloadVersion = () => {
    clearProblem();
    resource.reload();
  };
  return (
    <>
      <PageHead
        title="Edit webhook"
        calls={[
          [
            'Update webhook',
            requestFor('updateWebhook', { id: webhook.id, version: webhook.version, body: patch }),
          ],
        ]}
      />
      <form
        class="dev-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <WebhookForm fields={fields} onChange={setFields} problem={problem} />
        {problem?.code === 'etag_mismatch' ? (
          <div class="notice warn row" role="alert">
            <p>This webhook was changed after you opened it. Your changes were not saved yet.</p>
            <Button onClick={reloadVersion}>Apply mine to the new version</Button>
            <Button onClick={() => window.location.reload()}>Discard mine</Button>
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
          <ButtonLink href={`/${webhook.id}/settings`}>Cancel</ButtonLink>
          {isUnchanged && <span class="soft">No changes</span>}
        </div>
      </form>
    </>
  );
}
