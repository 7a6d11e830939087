import type { PolicyRule } from '@scriptorium/contracts/rules';
import type { PolicyWhen } from '@scriptorium/contracts/wire/policies';
import { Fact } from '../../kit/fact.tsx';
import type { PolicyDraft } from './draft.ts';
import { actionsInWords, modeWords, ruleInWords, ruleTitles, whenInWords } from './rules/words.ts';
import { ScopeWords, useScopeCollections } from './scope-words.tsx';

interface Policy extends Omit<PolicyDraft, 'when'> {
  when?: PolicyWhen | null;
}

/** A policy in words. */
export function Summary({ policy }: { policy: Policy }) {
  const collections = useScopeCollections([policy.scope]);
  const when = whenInWords(policy.when);
  return (
    <dl class="facts policy-summary">
      <Fact name="Mode">
        {modeWords[policy.mode].title}: {modeWords[policy.mode].hint}
      </Fact>
      <Fact name="Scope" value={<ScopeWords scope={policy.scope} collections={collections} />} />
      <Fact name="Conditions" value={when} />
      <Fact name="Actions" value={actionsInWords(policy.actions)} />
      <Fact name="Rules" value={<RuleList rules={policy.rules} />} />
    </dl>
  );
}

export function RuleList({ rules }: { rules: readonly PolicyRule[] }) {
  return (
    <ul class="policy-rules">
      {rules.map((rule, at) => (
        <li key={at}>
          <strong>{ruleTitles[rule.type]}</strong>: <bdi>{ruleInWords(rule)}</bdi>
        </li>
      ))}
    </ul>
  );
}
