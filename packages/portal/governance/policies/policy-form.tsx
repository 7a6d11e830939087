import type { PolicyAction, PolicyMode, PolicyRule, RuleName } from '@scriptorium/contracts/rules';
import { Button } from '../../kit/button.tsx';
import { CheckField, SelectField, TextField } from '../../kit/fields/field.tsx';
import type { PolicyDraft } from './draft.ts';
import { ListField } from './rules/list-field.tsx';
import { labelOptions, typeOptions } from './rules/options.ts';
import { actionsOf, formOf } from './rules/rule-forms.tsx';
import { ScopeField } from './rules/scope-field.tsx';
import {
  actionNames,
  actionWords,
  modeNames,
  modeWords,
  ruleMenu,
  ruleTitles,
} from './rules/words.ts';

interface PolicyFormProps {
  draft: PolicyDraft;
  onChange: (draft: PolicyDraft) => void;
  /** The errors at a JSON pointer within the policy, and below it unless `exactly`. */
  fault: (pointer: string, exactly?: 'exactly') => string | undefined;
}

/** The form of a policy. */
export function PolicyForm({ draft, onChange, fault }: PolicyFormProps) {
  const set = (changes: Partial<PolicyDraft>) => onChange({ ...draft, ...changes });
  const toggle = (action: PolicyAction, on: boolean) =>
    set({
      actions: actionNames.filter((one) => (one === action ? on : draft.actions.includes(one))),
    });
  const add = (type: RuleName) => {
    const speaks = actionsOf(type);
    const rules = [...draft.rules, formOf(type).start];
    // A rule has an effect only with at least one of its actions, which are therefore added with
    // it.
    const silent = !draft.actions.some((action) => speaks.includes(action));
    set({ rules, ...(silent ? { actions: [...draft.actions, ...defaultActions(type)] } : {}) });
  };
  return (
    <>
      <section class="card stack">
        <TextField
          label="Name"
          required
          value={draft.name}
          fault={fault('/name')}
          onInput={(name) => set({ name })}
        />
        <SelectField
          label="Mode"
          value={draft.mode}
          hint={modeWords[draft.mode].hint}
          options={modeNames.map((mode) => [mode, modeWords[mode].title] as const)}
          onChange={(value) => set({ mode: value as PolicyMode })}
        />
        <ScopeField scope={draft.scope} fault={fault} onChange={(scope) => set({ scope })} />
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
            whole={fault(`/rules/${at}`, 'exactly') ?? fault(`/rules/${at}/type`)}
            onChange={(next) =>
              set({ rules: draft.rules.map((one, i) => (i === at ? next : one)) })
            }
            onRemove={() => set({ rules: draft.rules.filter((_, i) => i !== at) })}
          />
        ))}
        <SelectField
          label="Add rule"
          value=""
          fault={draft.rules.length === 0 ? fault('/rules') : undefined}
          options={[
            ['', 'Select a rule'],
            ...ruleMenu.map((type) => [type, `${ruleTitles[type]}: ${formOf(type).hint}`] as const),
          ]}
          onChange={(value) => {
            const type = ruleMenu.find((name) => name === value);
            if (type) add(type);
          }}
        />
      </section>
      <section class="card stack">
        <fieldset class="policy-choices">
          <legend>Actions</legend>
          {actionNames.map((action) => (
            <CheckField
              key={action}
              label={actionWords[action].title}
              hint={actionWords[action].hint}
              checked={draft.actions.includes(action)}
              onChange={(checked) => toggle(action, checked)}
            />
          ))}
          {fault('/actions') && <span class="fault">{fault('/actions')}</span>}
        </fieldset>
      </section>
      <Conditions draft={draft} fault={fault} onChange={(when) => set({ when })} />
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
  const speaks = actionsOf(type);
  return type.startsWith('max_') || type === 'allowed_mime_types' ? ['upload'] : speaks;
}

interface RuleCardProps {
  rule: PolicyRule;
  actions: readonly PolicyAction[];
  fault: (parameter: string) => string | undefined;
  /** The error about the rule as a whole. */
  whole: string | undefined;
  onChange: (rule: PolicyRule) => void;
  onRemove: () => void;
}

function RuleCard({ rule, actions, fault, whole, onChange, onRemove }: RuleCardProps) {
  const { Fields } = formOf(rule.type);
  const speaks = actionsOf(rule.type);
  const silent = actions.length > 0 && !actions.some((action) => speaks.includes(action));
  return (
    <fieldset class="policy-rule stack">
      <legend>{ruleTitles[rule.type]}</legend>
      <Fields rule={rule} fault={fault} onChange={onChange} />
      {silent && (
        <p class="fault">
          This rule has no effect on the selected actions. Select at least one of:{' '}
          {speaks.map((action) => actionWords[action].title).join(', ')}.
        </p>
      )}
      {!silent && whole && <p class="fault">{whole}</p>}
      <div class="row">
        <Button small label={`Remove rule ${ruleTitles[rule.type]}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
