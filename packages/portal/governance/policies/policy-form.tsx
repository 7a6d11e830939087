import type { PolicyAction, PolicyMode, PolicyRule, RuleName } from '@scriptorium/contracts/rules';
import { Button } from '../../kit/button.tsx';
import { CheckField, SelectField, TextField } from '../../kit/fields/field.tsx';
import type { PolicyDraft } from './draft.ts';
import {
  actionLabels,
  actionNames,
  modeLabels,
  modeNames,
  ruleNames,
  ruleTitles,
} from './rules/descriptions.ts';
import { ListField } from './rules/list-field.tsx';
import { labelOptions, typeOptions } from './rules/options.ts';
import { actionsOf, ruleFormOf } from './rules/rule-forms.tsx';
import { ScopeField } from './rules/scope-field.tsx';

interface PolicyFormProps {
  draft: PolicyDraft;
  onChange: (draft: PolicyDraft) => void;
  /** The errors at a JSON pointer within the policy, and below it unless `exactly`. */
  fault: (pointer: string, exactly?: 'exactly') => string | undefined;
}

/** The form of a policy. */
export function PolicyForm({ draft, onChange, fault }: PolicyFormProps) {
  const update = (changes: Partial<PolicyDraft>) => onChange({ ...draft, ...changes });
  const toggleAction = (action: PolicyAction, on: boolean) =>
    update({
      actions: actionNames.filter((one) => (one === action ? on : draft.actions.includes(one))),
    });
  const addRule = (type: RuleName) => {
    const supportedActions = actionsOf(type);
    const rules = [...draft.rules, ruleFormOf(type).initialRule];
    // A rule has no effect without one of its actions, so they are added with it.
    const hasNoEffect = !draft.actions.some((action) => supportedActions.includes(action));
    update({
      rules,
      ...(hasNoEffect ? { actions: [...draft.actions, ...defaultActions(type)] } : {}),
    });
  };
  return (
    <>
      <section class="card stack">
        <TextField
          label="Name"
          required
          value={draft.name}
          fault={fault('/name')}
          onInput={(name) => update({ name })}
        />
        <SelectField
          label="Mode"
          value={draft.mode}
          hint={modeLabels[draft.mode].hint}
          options={modeNames.map((mode) => [mode, modeLabels[mode].title] as const)}
          onChange={(value) => update({ mode: value as PolicyMode })}
        />
        <ScopeField scope={draft.scope} fault={fault} onChange={(scope) => update({ scope })} />
      </section>
      <section class="card stack">
        <h2>Rules</h2>
        <p class="soft">All rules must pass.</p>
        {draft.rules.map((rule, at) => (
          <RuleCard
            key={`${at} ${rule.type}`}
            rule={rule}
            actions={draft.actions}
            fault={(name) => fault(`/rules/${at}/${name}`)}
            ruleFault={fault(`/rules/${at}`, 'exactly') ?? fault(`/rules/${at}/type`)}
            onChange={(next) =>
              update({ rules: draft.rules.map((one, i) => (i === at ? next : one)) })
            }
            onRemove={() => update({ rules: draft.rules.filter((_, i) => i !== at) })}
          />
        ))}
        <SelectField
          label="Add rule"
          value=""
          fault={draft.rules.length === 0 ? fault('/rules') : undefined}
          options={[
            ['', 'Select a rule'],
            ...ruleNames.map(
              (type) => [type, `${ruleTitles[type]}: ${ruleFormOf(type).hint}`] as const,
            ),
          ]}
          onChange={(value) => {
            const type = ruleNames.find((name) => name === value);
            if (type) addRule(type);
          }}
        />
      </section>
      <section class="card stack">
        <fieldset class="policy-choices">
          <legend>Actions</legend>
          {actionNames.map((action) => (
            <CheckField
              key={action}
              label={actionLabels[action].title}
              hint={actionLabels[action].hint}
              checked={draft.actions.includes(action)}
              onChange={(checked) => toggleAction(action, checked)}
            />
          ))}
          {fault('/actions') && <span class="fault">{fault('/actions')}</span>}
        </fieldset>
      </section>
      <Conditions draft={draft} fault={fault} onChange={(when) => update({ when })} />
    </>
  );
}

/** The conditions that narrow the scope: file types and labels. */
function Conditions(props: {
  draft: PolicyDraft;
  fault: PolicyFormProps['fault'];
  onChange: (when: PolicyDraft['when']) => void;
}) {
  const { draft, fault, onChange } = props;
  const { mime = [], labels = [] } = draft.when;
  const setWhen = (when: { mime: string[]; labels: string[] }) =>
    onChange({
      ...(when.mime.length > 0 ? { mime: when.mime } : {}),
      ...(when.labels.length > 0 ? { labels: when.labels } : {}),
    });
  return (
    <details class="card policy-when" open={mime.length + labels.length > 0}>
      <summary>Conditions</summary>
      <div class="stack">
        <ListField
          label="File types"
          options={typeOptions}
          values={mime}
          fault={fault('/when/mime')}
          onChange={(next) => setWhen({ mime: next, labels })}
        />
        <ListField
          label="Labels"
          hint="Applies to unclassified files as well, except on upload and processing."
          options={labelOptions}
          values={labels}
          fault={fault('/when/labels')}
          onChange={(next) => setWhen({ mime, labels: next })}
        />
      </div>
    </details>
  );
}

/**
 * Returns the actions to add with a new rule: upload for limits on files, otherwise all actions
 * that it applies to.
 */
function defaultActions(type: RuleName): readonly PolicyAction[] {
  const supportedActions = actionsOf(type);
  return type.startsWith('max_') || type === 'allowed_mime_types' ? ['upload'] : supportedActions;
}

interface RuleCardProps {
  rule: PolicyRule;
  actions: readonly PolicyAction[];
  fault: (parameter: string) => string | undefined;
  /** The error about the rule as a whole. */
  ruleFault: string | undefined;
  onChange: (rule: PolicyRule) => void;
  onRemove: () => void;
}

function RuleCard({ rule, actions, fault, ruleFault, onChange, onRemove }: RuleCardProps) {
  const { Fields } = ruleFormOf(rule.type);
  const supportedActions = actionsOf(rule.type);
  const hasNoEffect =
    actions.length > 0 && !actions.some((action) => supportedActions.includes(action));
  return (
    <fieldset class="policy-rule stack">
      <legend>{ruleTitles[rule.type]}</legend>
      <Fields rule={rule} fault={fault} onChange={onChange} />
      {hasNoEffect && (
        <p class="fault">
          This rule has no effect on the selected actions. Select at least one of:{' '}
          {supportedActions.map((action) => actionLabels[action].title).join(', ')}.
        </p>
      )}
      {!hasNoEffect && ruleFault && <p class="fault">{ruleFault}</p>}
      <div class="row">
        <Button small label={`Remove rule ${ruleTitles[rule.type]}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
