import type {
  RetentionRuleRecord,
  RetentionScope,
  RetentionTerm,
} from '@scriptorium/contracts/wire/retention';
import { useState } from 'preact/hooks';
import { useAction, useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { SelectField, TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';

interface DialogProps {
  onClose: () => void;
  onDone: () => void;
}

const types = [
  ['delete_after', 'Delete after their creation'],
  ['delete_after_last_job', 'Delete after their last job'],
  ['keep_until', 'Keep until a date'],
] as const;
type TermType = (typeof types)[number][0];

const isTermType = (value: string): value is TermType => types.some(([type]) => type === value);

/** Creates a rule, or changes one. */
export function RuleDialog({
  rule,
  onClose,
  onDone,
}: DialogProps & { rule: RetentionRuleRecord | null }) {
  const current = rule?.rule;
  const [type, setType] = useState<TermType>(current?.type ?? 'delete_after');
  const [days, setDays] = useState(current && 'days' in current ? String(current.days) : '90');
  const [until, setUntil] = useState(
    current?.type === 'keep_until' ? current.until.slice(0, 10) : '',
  );
  const [collectionId, setCollectionId] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const term: RetentionTerm =
    type === 'keep_until'
      ? { type, until: `${until}T00:00:00.000Z` }
      : { type, days: Number(days) };
  const scope: RetentionScope =
    collectionId === '' ? { type: 'project' } : { type: 'collection', collection_id: collectionId };
  const save = async () => {
    const response = rule
      ? await run(
          requestFor('updateRetentionRule', {
            id: rule.id,
            version: rule.version,
            body: { rule: term },
          }),
        )
      : await run(requestFor('createRetentionRule', { body: { scope, rule: term } }));
    if (!response) return;
    toast('good', 'Retention rule saved.');
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={rule ? 'Edit the retention rule' : 'Add a retention rule'}
      action="Save"
      busy={busy}
      problem={problem}
      disabled={type === 'keep_until' && until === ''}
      onSubmit={save}
      onClose={onClose}
    >
      {!rule && <CollectionField value={collectionId} onChange={setCollectionId} />}
      <SelectField
        label="Rule"
        value={type}
        options={types}
        onChange={(value) => {
          if (isTermType(value)) setType(value);
        }}
      />
      {type === 'keep_until' ? (
        <TextField label="Until" type="date" required value={until} onInput={setUntil} />
      ) : (
        <TextField label="Days" type="number" min={1} required value={days} onInput={setDays} />
      )}
      {type !== 'keep_until' && (
        <p class="notice warn">
          Objects are deleted for good, with the objects made from them, without the trash.
        </p>
      )}
    </FormDialog>
  );
}

function CollectionField(props: { value: string; onChange: (id: string) => void }) {
  const { can } = useSession();
  const collections = useList(
    can('collections:read')
      ? requestFor('listCollections', { kind: 'manual', sort: 'name', limit: 200 })
      : null,
  );
  return (
    <SelectField
      label="Applies to"
      value={props.value}
      options={[
        ['', 'All objects of the project'],
        ...collections.items.map(({ id, name }) => [id, name] as const),
      ]}
      onChange={props.onChange}
    />
  );
}

/** Asks for confirmation before deleting a rule. */
export function DeleteRuleDialog({
  rule,
  onClose,
  onDone,
}: DialogProps & { rule: RetentionRuleRecord }) {
  const { run, busy, problem } = useAction({ quiet: true });
  const remove = async () => {
    const { id, version } = rule;
    if (!(await run(requestFor('deleteRetentionRule', { id, version })))) return;
    toast('good', 'Retention rule deleted.');
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Delete this rule?"
      action="Delete rule"
      danger
      busy={busy}
      problem={problem}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        {rule.rule.type === 'keep_until'
          ? 'Other rules may delete its objects within the hour.'
          : 'Its objects are kept, unless another rule deletes them.'}
      </p>
    </FormDialog>
  );
}
