import type { PolicyRule } from '../../../contracts/rules.ts';
import type { PolicyWhen } from '../../../contracts/wire/policies.ts';
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
      <dt>Mode</dt>
      <dd>
        {modeWords[policy.mode].title}: {modeWords[policy.mode].hint}
      </dd>
      <dt>Scope</dt>
      <dd>
        <ScopeWords scope={policy.scope} collections={collections} />
      </dd>
      {when && (
        <>
          <dt>Conditions</dt>
          <dd>{when}</dd>
        </>
      )}
      <dt>Actions</dt>
      <dd>{actionsInWords(policy.actions)}</dd>
      <dt>Rules</dt>
      <dd>
        <RuleList rules={policy.rules} />
      </dd>
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
