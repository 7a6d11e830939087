import { useMemo } from 'preact/hooks';
import type { PolicyRule } from '../../../contracts/rules.ts';
import type { PolicyScope, PolicyWhen } from '../../../contracts/wire/policies.ts';
import { useAnswer } from '../../api/hooks.ts';
import { useSession } from '../../shell/session.tsx';
import { listManualCollections, type PolicyDraft } from './requests.ts';
import {
  actionsInWords,
  modeWords,
  ruleInWords,
  ruleTitles,
  scopeInWords,
  whenInWords,
} from './rules/words.ts';

/** The paths of collections used in scopes, by identifier, as far as the key can read them. */
export function useCollectionNames(scopes: readonly PolicyScope[]): ReadonlyMap<string, string> {
  const { can } = useSession();
  const needed = can('collections:read') && scopes.some(({ type }) => type === 'collection');
  const { data } = useAnswer(needed ? listManualCollections() : null);
  return useMemo(
    () =>
      new Map(
        (data?.data ?? []).map(({ id, path }) => [id, path.map(({ name }) => name).join(' / ')]),
      ),
    [data],
  );
}

interface Policy extends Omit<PolicyDraft, 'when'> {
  when?: PolicyWhen | null;
}

/** A policy in words. */
export function Summary({ policy }: { policy: Policy }) {
  const names = useCollectionNames([policy.scope]);
  const when = whenInWords(policy.when);
  return (
    <dl class="facts policy-summary">
      <dt>Mode</dt>
      <dd>
        {modeWords[policy.mode].title}: {modeWords[policy.mode].hint}
      </dd>
      <dt>Scope</dt>
      <dd>
        <bdi>{scopeInWords(policy.scope, names)}</bdi>
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
