import { Link } from 'wouter-preact';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemNotice, ProblemState } from '../../kit/states.tsx';
import { Id, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { DeletePolicy } from './delete-policy.tsx';
import { policyImpact } from './draft.ts';
import { holdsInWords } from './rules/words.ts';
import { Summary } from './summary.tsx';
import { DryRun } from './trial/dry-run.tsx';
import { ImpactWords } from './trial/impact.tsx';

/** The page of a policy: summary, impact and dry run. */
export function PolicyPage({ id }: { id: string }) {
  const { can } = useSession();
  const { data: policy, etag, problem, reload } = useAnswer(requestFor('getPolicy', { id }));
  const impact = useAnswer(policy ? policyImpact(id, null) : null);
  if (problem || !policy) {
    return (
      <>
        <PageHead title="Policy" crumbs={[['Policies', '/']]} />
        {problem ? <ProblemState problem={problem} onRetry={reload} /> : <Loading what="policy" />}
      </>
    );
  }
  const canWrite = can('policies:write');
  const holds = holdsInWords(policy);
  const inAudit = (type: string) =>
    `~/portal/audit?${new URLSearchParams({ category: 'audit', type, resource_id: id })}`;
  return (
    <>
      <PageHead
        title={policy.name}
        crumbs={[['Policies', '/']]}
        about={<Id id={id} />}
        calls={[
          ['Get policy', requestFor('getPolicy', { id })],
          ['Get impact', policyImpact(id, null)],
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
                  <DeletePolicy
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
            <State state={policy.mode} />
          </div>
          <Summary policy={policy} />
          {holds && <p class="notice warn">{holds}</p>}
          <p class="soft">
            Updated <Time at={policy.updated_at} />, version {policy.version}. Audit log:{' '}
            {policy.mode === 'audit' ? (
              <Link href={inAudit('dam.policy.denial_observed')}>observed denials</Link>
            ) : (
              <Link href={inAudit('dam.policy.denied')}>denials</Link>
            )}
            , <Link href={inAudit('dam.policy.updated')}>changes</Link>
          </p>
        </section>
        <section class="card stack">
          <h2>Impact</h2>
          {impact.problem ? (
            <ProblemNotice problem={impact.problem} />
          ) : impact.data ? (
            <ImpactWords impact={impact.data} />
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
