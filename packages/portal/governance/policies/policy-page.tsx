import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemNotice, ProblemState } from '../../kit/states.tsx';
import { Id, StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { DeletePolicyDialog } from './delete-policy.tsx';
import { impactRequest } from './draft.ts';
import { describeHolds } from './rules/descriptions.ts';
import { PolicySummary } from './summary.tsx';
import { DryRun } from './trial/dry-run.tsx';
import { ImpactSummary } from './trial/impact.tsx';

/** The page of a policy: summary, impact and dry run. */
export function PolicyPage({ id }: { id: string }) {
  const { can } = useSession();
  const { data: policy, etag, problem, reload } = useResource(requestFor('getPolicy', { id }));
  const impact = useResource(policy ? impactRequest(id, null) : null);
  if (problem || !policy) {
    return (
      <>
        <PageHead title="Policy" crumbs={[['Policies', '/']]} />
        {problem ? <ProblemState problem={problem} onRetry={reload} /> : <Loading what="policy" />}
      </>
    );
  }
  const canWrite = can('policies:write');
  const holdsText = describeHolds(policy);
  const auditPath = (type: string) =>
    `~/portal/audit?${new URLSearchParams({ category: 'audit', type, resource_id: id })}`;
  return (
    <>
      <PageHead
        title={policy.name}
        crumbs={[['Policies', '/']]}
        about={<Id id={id} />}
        calls={[
          ['Get policy', requestFor('getPolicy', { id })],
          ['Get impact', impactRequest(id, null)],
          [
            'Delete policy',
            requestFor('deletePolicy', { id, headers: { 'If-Match': etag ?? '"1"' } }),
          ],
        ]}
        actions={
          <>
            {canWrite && <ButtonLink href={`/${id}/edit`}>Edit</ButtonLink>}
            {canWrite && (
              <DialogButton
                label="Delete"
                danger
                dialog={(close) => (
                  <DeletePolicyDialog
                    policy={policy}
                    etag={etag ?? ''}
                    onClose={close}
                    onChanged={reload}
                  />
                )}
              />
            )}
          </>
        }
      />
      <div class="stack policy-page">
        <section class="card stack">
          <div class="row">
            <h2>Summary</h2>
            <StateBadge state={policy.mode} />
          </div>
          <PolicySummary policy={policy} />
          {holdsText && <p class="notice warn">{holdsText}</p>}
          <p class="soft">
            Updated <Time at={policy.updated_at} />, version {policy.version}. Audit log:{' '}
            {policy.mode === 'audit' ? (
              <Link href={auditPath('dam.policy.denial_observed')}>observed denials</Link>
            ) : (
              <Link href={auditPath('dam.policy.denied')}>denials</Link>
            )}
            , <Link href={auditPath('dam.policy.updated')}>changes</Link>
          </p>
        </section>
        <section class="card stack">
          <h2>Impact</h2>
          {impact.problem ? (
            <ProblemNotice problem={impact.problem} />
          ) : impact.data ? (
            <ImpactSummary
              impact={impact.data}
              rules={policy.rules}
              requestIn={(context) => impactRequest(id, null, context)}
            />
          ) : (
            <Loading what="impact" lines={2} />
          )}
        </section>
        <section class="card stack">
          <h2>Dry run</h2>
          <DryRun />
        </section>
      </div>
    </>
  );
}
