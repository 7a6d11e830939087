import { Link } from 'wouter-preact';
import { useAnswer } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { Loading, ProblemNotice, ProblemState } from '../../kit/states.tsx';
import { Id, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { DeletePolicy } from './delete-policy.tsx';
import { deletePolicy, getPolicy, policyImpact } from './requests.ts';
import { holdsInWords } from './rules/words.ts';
import { Summary } from './summary.tsx';
import { DryRun } from './trial/dry-run.tsx';
import { ImpactWords } from './trial/impact.tsx';

/** One policy: what it says, what it did, and what it would do. */
export function PolicyPage({ id }: { id: string }) {
  const { can } = useSession();
  const { data: policy, etag, problem, reload } = useAnswer(getPolicy(id));
  const impact = useAnswer(policy ? policyImpact(id, null) : null);
  if (problem) return <ProblemState problem={problem} onRetry={reload} />;
  if (!policy) {
    return (
      <>
        <h1>Policy</h1>
        <Loading what="the policy" />
      </>
    );
  }
  const canWrite = can('policies:write');
  const holds = holdsInWords(policy);
  const inAudit = (type: string) =>
    `~/portal/audit?${new URLSearchParams({ category: 'audit', type, resource_id: id })}`;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>
            <bdi class="policy-name">{policy.name}</bdi>
          </h1>
          <p>
            <Link href="/">All policies</Link> · <Id id={id} />
          </p>
        </div>
        {canWrite && <ButtonLink href={`/${id}/edit`}>Edit</ButtonLink>}
        {canWrite && (
          <DialogButton
            label="Delete"
            danger
            dialog={(close) => (
              <DeletePolicy policy={policy} etag={etag ?? ''} onClose={close} onChanged={reload} />
            )}
          />
        )}
        <ApiCalls
          calls={[
            ['Get this policy', getPolicy(id)],
            ['Count its impact', policyImpact(id, null)],
            ['Delete it', deletePolicy(id, etag ?? '"1"')],
          ]}
        />
      </div>
      <div class="stack policy-page">
        <section class="card stack">
          <div class="row">
            <h2>What it says</h2>
            <State state={policy.mode} />
          </div>
          <Summary policy={policy} />
          {holds && <p class="notice warn">{holds}</p>}
          <p class="soft">
            Changed <Time at={policy.updated_at} />, version {policy.version}. In Audit:{' '}
            {policy.mode === 'audit' ? (
              <Link href={inAudit('dam.policy.denial_observed')}>what it would have refused</Link>
            ) : (
              <Link href={inAudit('dam.policy.denied')}>what it refused</Link>
            )}
            , <Link href={inAudit('dam.policy.updated')}>who changed it</Link>
          </p>
        </section>
        <section class="card stack">
          <h2>Impact</h2>
          {impact.problem ? (
            <ProblemNotice problem={impact.problem} />
          ) : impact.data ? (
            <ImpactWords impact={impact.data} />
          ) : (
            <Loading what="the impact" lines={2} />
          )}
        </section>
        <section class="card stack">
          <h2>Would this be allowed?</h2>
          <DryRun />
        </section>
      </div>
    </>
  );
}
