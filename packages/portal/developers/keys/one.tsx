import { grants } from '@scriptorium/contracts/scopes';
import type { KeyRecord } from '@scriptorium/contracts/wire/keys';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { DialogButton } from '../../kit/dialog.tsx';
import { Fact } from '../../kit/fact.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Answered } from '../../kit/states.tsx';
import { Id, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { EditKey, RevokeKey, RollKey } from './actions.tsx';
import { ScopesInWords } from './scopes.tsx';

export function OneKey({ id }: { id: string }) {
  const answer = useAnswer(requestFor('getKey', { id }));
  return (
    <>
      {!answer.data && <PageHead title="API key" crumbs={[['API keys', '/']]} />}
      <Answered of={answer} what="API key">
        {(data) => <Key of={data} reload={answer.reload} />}
      </Answered>
    </>
  );
}

function Key({ of: key, reload }: { of: KeyRecord; reload: () => void }) {
  const { session, can } = useSession();
  const own = key.id === session.key?.id;
  const isAbove = key.scopes.some((scope) => !grants(session.scopes, scope));
  const mayChange = can('keys:write') && key.state !== 'revoked';
  return (
    <>
      <PageHead
        title={key.name}
        crumbs={[['API keys', '/']]}
        calls={[
          ['Get API key', requestFor('getKey', { id: key.id })],
          ['Roll API key', requestFor('rollKey', { id: key.id, body: { overlap_seconds: 3600 } })],
          ['Revoke API key', requestFor('revokeKey', { id: key.id })],
        ]}
        actions={
          mayChange &&
          !isAbove && (
            <>
              <DialogButton
                label="Edit"
                dialog={(close) => <EditKey of={key} own={own} onClose={close} onDone={reload} />}
              />
              {key.state === 'active' && (
                <DialogButton
                  label="Roll"
                  dialog={(close) => <RollKey of={key} own={own} onClose={close} onDone={reload} />}
                />
              )}
              <DialogButton
                danger
                label="Revoke"
                dialog={(close) => <RevokeKey of={key} own={own} onClose={close} onDone={reload} />}
              />
            </>
          )
        }
      />
      <div class="stack">
        {own && (
          <p class="notice">
            You are logged in with this key. When it stops working, your session ends.
          </p>
        )}
        {mayChange && isAbove && (
          <p class="notice">
            This key has scopes that you do not have, so you cannot edit, roll or revoke it.
          </p>
        )}
        <section class="card stack">
          <h2>Details</h2>
          <dl class="facts">
            <Fact name="ID" value={<Id id={key.id} />} />
            <Fact name="State" value={<State state={key.state} />} />
            <Fact
              name="Prefix"
              value={<span class="mono">sk_{key.prefix.replace(/^sk_/, '')}…</span>}
            />
            <Fact name="Created" value={<Time at={key.created_at} exact />} />
            <Fact
              name="Last used"
              value={key.last_used_at ? <Time at={key.last_used_at} /> : 'Never'}
            />
            <Fact
              name="Expires"
              value={key.expires_at ? <Time at={key.expires_at} exact /> : 'Never'}
            />
            <Fact
              name={key.state === 'revoked' ? 'Revoked' : 'Works until'}
              value={key.revoked_at && <Time at={key.revoked_at} exact />}
            />
            <Fact
              name="Allowed addresses"
              value={
                key.allowed_cidrs.length === 0 ? (
                  'Any'
                ) : (
                  <span class="mono">{key.allowed_cidrs.join(', ')}</span>
                )
              }
            />
          </dl>
        </section>
        <section class="card stack">
          <h2>Scopes</h2>
          <ScopesInWords scopes={key.scopes} />
        </section>
      </div>
    </>
  );
}
