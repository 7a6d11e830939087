import { grants } from '@scriptorium/contracts/scopes';
import type { KeyRecord } from '@scriptorium/contracts/wire/keys';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { DialogButton } from '../../kit/dialog.tsx';
import { Fact } from '../../kit/fact.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { AnswerView } from '../../kit/states.tsx';
import { Id, StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { EditKeyDialog, RevokeKeyDialog, RollKeyDialog } from './dialogs.tsx';
import { ScopeList } from './scopes.tsx';

export function KeyPage({ id }: { id: string }) {
  const resource = useResource(requestFor('getKey', { id }));
  return (
    <>
      {!resource.data && <PageHead title="API key" crumbs={[['API keys', '/']]} />}
      <AnswerView of={resource} content="API key">
        {(data) => <KeyDetails apiKey={data} reload={resource.reload} />}
      </AnswerView>
    </>
  );
}

function KeyDetails({ apiKey, reload }: { apiKey: KeyRecord; reload: () => void }) {
  const { session, can } = useSession();
  const isOwn = apiKey.id === session.key?.id;
  const hasMoreScopes = apiKey.scopes.some((scope) => !grants(session.scopes, scope));
  const canChange = can('keys:write') && apiKey.state !== 'revoked';
  return (
    <>
      <PageHead
        title={apiKey.name}
        crumbs={[['API keys', '/']]}
        calls={[
          ['Get API key', requestFor('getKey', { id: apiKey.id })],
          [
            'Roll API key',
            requestFor('rollKey', { id: apiKey.id, body: { overlap_seconds: 3600 } }),
          ],
          ['Revoke API key', requestFor('revokeKey', { id: apiKey.id })],
        ]}
        actions={
          canChange &&
          !hasMoreScopes && (
            <>
              <DialogButton
                label="Edit"
                dialog={(close) => (
                  <EditKeyDialog apiKey={apiKey} isOwn={isOwn} onClose={close} onDone={reload} />
                )}
              />
              {apiKey.state === 'active' && (
                <DialogButton
                  label="Roll"
                  dialog={(close) => (
                    <RollKeyDialog apiKey={apiKey} isOwn={isOwn} onClose={close} onDone={reload} />
                  )}
                />
              )}
              <DialogButton
                danger
                label="Revoke"
                dialog={(close) => (
                  <RevokeKeyDialog apiKey={apiKey} isOwn={isOwn} onClose={close} onDone={reload} />
                )}
              />
            </>
          )
        }
      />
      <div class="stack">
        {isOwn && (
          <p class="notice">
            You are logged in with this key. When it stops working, your session ends.
          </p>
        )}
        {canChange && hasMoreScopes && (
          <p class="notice">
            This key has scopes that you do not have, so you cannot edit, roll or revoke it.
          </p>
        )}
        <section class="card stack">
          <h2>Details</h2>
          <dl class="facts">
            <Fact name="ID" value={<Id id={apiKey.id} />} />
            <Fact name="State" value={<StateBadge state={apiKey.state} />} />
            <Fact
              name="Prefix"
              value={<span class="mono">sk_{apiKey.prefix.replace(/^sk_/, '')}…</span>}
            />
            <Fact name="Created" value={<Time at={apiKey.created_at} exact />} />
            <Fact
              name="Last used"
              value={apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : 'Never'}
            />
            <Fact
              name="Expires"
              value={apiKey.expires_at ? <Time at={apiKey.expires_at} exact /> : 'Never'}
            />
            <Fact
              name={apiKey.state === 'revoked' ? 'Revoked' : 'Works until'}
              value={apiKey.revoked_at && <Time at={apiKey.revoked_at} exact />}
            />
            <Fact
              name="Allowed addresses"
              value={
                apiKey.allowed_cidrs.length === 0 ? (
                  'Any'
                ) : (
                  <span class="mono">{apiKey.allowed_cidrs.join(', ')}</span>
                )
              }
            />
          </dl>
        </section>
        <section class="card stack">
          <h2>Scopes</h2>
          <ScopeList scopes={apiKey.scopes} />
        </section>
      </div>
    </>
  );
}
