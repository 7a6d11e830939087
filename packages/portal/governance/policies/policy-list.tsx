import type { PolicySort } from '@scriptorium/contracts/wire/policies';
import { useId } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { Dialog, DialogButton } from '../../kit/dialog.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import type { Order } from '../../kit/table.tsx';
import { useSort } from '../../kit/use-sort.ts';
import { StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { describeActions, describeConditions } from './rules/descriptions.ts';
import { ScopeText, useScopeCollections } from './scope-text.tsx';
import { RuleList } from './summary.tsx';
import { DryRun } from './trial/dry-run.tsx';

/** The policies of the project. */
export function PolicyList() {
  const { can } = useSession();
  const { sort, order, onOrder } = useSort<PolicySort>(
    ['created_at', 'updated_at', 'name', 'mode'],
    '-created_at',
  );
  const request = requestFor('listPolicies', { sort, limit: 200 });
  const { data, problem, reload } = useResource(request);
  const policies = data?.data ?? [];
  const collections = useScopeCollections(policies.map(({ scope }) => scope));
  const canWrite = can('policies:write');
  return (
    <>
      <PageHead
        title="Policies"
        about="Control what can be uploaded, viewed, downloaded, processed and deleted."
        calls={[['List policies', request]]}
        actions={
          <DialogButton
            label="Dry run"
            dialog={(close) => (
              <Dialog title="Dry run" wide onClose={close}>
                <DryRun />
              </Dialog>
            )}
          />
        }
        primary={
          canWrite && (
            <ButtonLink primary icon="add" href="/new">
              New policy
            </ButtonLink>
          )
        }
      />
      <PolicyExplanation />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !data ? (
        <Loading what="policies" />
      ) : policies.length === 0 ? (
        <Empty
          title="No policies"
          action={canWrite && <ButtonLink href="/new">New policy</ButtonLink>}
        >
          API keys can do everything that their scopes allow.
        </Empty>
      ) : (
        <>
          {policies.length > 1 && <SortSelect order={order} onOrder={onOrder} />}
          <ul class="policy-list">
            {policies.map((policy) => (
              <li key={policy.id} class="card stack">
                <div class="row">
                  <h2>
                    <Link href={`/${policy.id}`}>
                      <bdi>{policy.name}</bdi>
                    </Link>
                  </h2>
                  <StateBadge state={policy.mode} />
                </div>
                <RuleList rules={policy.rules} />
                <p class="soft">
                  {describeActions(policy.actions)} ·{' '}
                  <ScopeText scope={policy.scope} collections={collections} />
                  {policy.when && ` · ${describeConditions(policy.when)}`} · updated{' '}
                  <Time at={policy.updated_at} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const sortOptions: readonly (readonly [words: string, by: PolicySort, descending: boolean])[] = [
  ['Newest first', 'created_at', true],
  ['Last changed first', 'updated_at', true],
  ['By name', 'name', false],
  ['By mode', 'mode', false],
];

function SortSelect({ order, onOrder }: { order: Order; onOrder: (order: Order) => void }) {
  const id = useId();
  return (
    <div class="row policy-sort">
      <label class="visually-hidden" for={id}>
        Sort by
      </label>
      <select
        id={id}
        class="input"
        value={order.by}
        onChange={(event) => {
          const [, by, descending] =
            sortOptions[event.currentTarget.selectedIndex] ?? sortOptions[0]!;
          onOrder({ by, descending });
        }}
      >
        {sortOptions.map(([label, by]) => (
          <option key={by} value={by}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

function PolicyExplanation() {
  return (
    <details class="notice policy-explained">
      <summary>How policies combine, and the two default policies</summary>
      <div class="stack">
        <p>
          Every rule of every enforced policy must pass. A single denial is final, the lowest
          maximum and the longest retention apply, and allowed values must be on every list. The
          order of policies does not matter. If a rule requires a property that is unknown, viewing
          and downloading are denied.
        </p>
        <p>
          A policy in audit mode allows everything and records what it would deny. Test a policy
          this way, review{' '}
          <Link href="~/portal/audit?category=audit&type=dam.policy.denial_observed">
            the audit records
          </Link>
          , then enforce it.
        </p>
        <p>
          <strong>No executables and no scripted SVG</strong> denies uploads of programs and of
          images that contain scripts, which could attack the people who open them.{' '}
          <strong>Images are delivered without their location</strong> removes GPS data from
          downloaded images; the originals are kept unchanged. You can edit or delete both policies.
        </p>
      </div>
    </details>
  );
}
