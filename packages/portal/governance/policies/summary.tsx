import type { PolicyRule } from '@scriptorium/contracts/rules';
import type { PolicyWhen } from '@scriptorium/contracts/wire/policies';
import { Fact } from '../../kit/fact.tsx';
import type { PolicyDraft } from './draft.ts';
import {
  describeActions,
  describeConditions,
  describeRule,
  modeLabels,
  ruleTitles,
} from './rules/descriptions.ts';
import { ScopeText, useScopeCollections } from './scope-text.tsx';

interface SummarisedPolicy extends Omit<PolicyDraft, 'when'> {
  when?: PolicyWhen | null;
}

/** Describes a policy. */
export function PolicySummary({ policy }: { policy: SummarisedPolicy }) {
  const collections = useScopeCollections([policy.scope]);
  const when = describeConditions(policy.when);
  return (
    <dl class="facts policy-summary">
      <Fact name="Mode">
        {modeLabels[policy.mode].title}: {modeLabels[policy.mode].hint}
      </Fact>
      <Fact name="Scope" value={<ScopeText scope={policy.scope} collections={collections} />} />
      <Fact name="Conditions" value={when} />
      <Fact name="Actions" value={describeActions(policy.actions)} />
      <Fact name="Rules" value={<RuleList rules={policy.rules} />} />
    </dl>
  );
}

export function RuleList({ rules }: { rules: readonly PolicyRule[] }) {
  return (
    <ul class="policy-rules">
      {rules.map((rule, at) => (
        <li key={at}>
          <strong>{ruleTitles[rule.type]}</strong>: <bdi>{describeRule(rule)}</bdi>
        </li>
      ))}
    </ul>
  );
}
