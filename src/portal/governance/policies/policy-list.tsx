import { Link } from 'wouter-preact';
import { useAnswer } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { Dialog, DialogButton } from '../../kit/dialog.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { listPolicies } from './requests.ts';
import { actionsInWords, scopeInWords, whenInWords } from './rules/words.ts';
import { RuleList, useCollectionNames } from './summary.tsx';
import { DryRun } from './trial/dry-run.tsx';

/** What the project allows and refuses. */
export function PolicyList() {
  const { can } = useSession();
  const { data, problem, reload } = useAnswer(listPolicies());
  const policies = data?.data ?? [];
  const names = useCollectionNames(policies.map(({ scope }) => scope));
  const canWrite = can('policies:write');
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Policies</h1>
          <p>What may be uploaded, shown, delivered, processed and deleted in this project.</p>
        </div>
        <DialogButton
          label="Would this be allowed?"
          dialog={(close) => (
            <Dialog title="Would this be allowed?" wide onClose={close}>
              <DryRun />
            </Dialog>
          )}
        />
        {canWrite && (
          <ButtonLink primary href="/new">
            New policy
          </ButtonLink>
        )}
        <ApiCalls calls={[['List the policies', listPolicies()]]} />
      </div>
      <Explained />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !data ? (
        <Loading what="policies" />
      ) : policies.length === 0 ? (
        <Empty
          title="There is no policy"
          action={canWrite && <ButtonLink href="/new">New policy</ButtonLink>}
        >
          Every key may do whatever its scopes allow.
        </Empty>
      ) : (
        <ul class="policy-list">
          {policies.map((policy) => (
            <li key={policy.id} class="card stack">
              <div class="row">
                <h2>
                  <Link href={`/${policy.id}`}>
                    <bdi>{policy.name}</bdi>
                  </Link>
                </h2>
                <State state={policy.mode} />
              </div>
              <RuleList rules={policy.rules} />
              <p class="soft">
                {actionsInWords(policy.actions)} · <bdi>{scopeInWords(policy.scope, names)}</bdi>
                {policy.when && ` · ${whenInWords(policy.when)}`} · changed{' '}
                <Time at={policy.updated_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Explained() {
  return (
    <details class="notice policy-explained">
      <summary>How policies work together, and the two that a project starts with</summary>
      <div class="stack">
        <p>
          Every rule of every policy that is enforced must pass: one refusal overrides all else, of
          two maxima the least counts, of two retentions the longest, and what is allowed must be
          allowed by every list. Their order never matters. Where a rule needs something that nobody
          knows of a file, showing and delivering it is refused.
        </p>
        <p>
          A policy in audit mode lets everything pass and records what it would refuse:{' '}
          <Link href="~/portal/audit?category=audit&type=dam.policy.denial_observed">
            see that in Audit
          </Link>
          . Try a policy out that way, then enforce it.
        </p>
        <p>
          <strong>No executables and no scripted SVG</strong> refuses at upload what a machine would
          run, and pictures that hold scripts: both could attack whoever opens them.{' '}
          <strong>Images are delivered without where they were taken</strong> serves copies of
          images without GPS; the originals are kept as they are. They are policies like any other:
          change or delete them.
        </p>
      </div>
    </details>
  );
}
