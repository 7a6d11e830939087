import { pluralise } from '@scriptorium/contracts/pluralise';
import type {
  ExpiredObject,
  RetentionRuleRecord,
  RetentionTerm,
} from '@scriptorium/contracts/wire/retention';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { LoadedList } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { DeleteRuleDialog, RuleDialog } from './rule-dialogs.tsx';

interface RetentionRulesProps {
  rules: LoadedList<RetentionRuleRecord, unknown>;
  /** The objects that the rules delete now. */
  expired: LoadedList<ExpiredObject, unknown>;
}

/** Lists the retention rules, and what they delete now. */
export function RetentionRules({ rules, expired }: RetentionRulesProps) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<ComponentChildren>(null);
  const close = () => setDialog(null);
  const onDone = () => {
    rules.reload();
    expired.reload();
  };
  const renderActions = (rule: RetentionRuleRecord) =>
    can('retention:write') && (
      <div class="row">
        <Button
          small
          label={`Edit the rule ${rule.id}`}
          onClick={() => setDialog(<RuleDialog rule={rule} onClose={close} onDone={onDone} />)}
        >
          Edit
        </Button>
        <Button
          small
          danger
          label={`Delete the rule ${rule.id}`}
          onClick={() =>
            setDialog(<DeleteRuleDialog rule={rule} onClose={close} onDone={onDone} />)
          }
        >
          Delete
        </Button>
      </div>
    );
  return (
    <section class="stack" aria-labelledby="project-retention">
      <h2 id="project-retention">Retention rules</h2>
      <p>
        Rules delete objects for good, every hour. Policies with a legal hold or a retention
        override them.
      </p>
      {can('retention:write') && (
        <div>
          <Button
            icon="add"
            onClick={() => setDialog(<RuleDialog rule={null} onClose={close} onDone={onDone} />)}
          >
            Add a rule
          </Button>
        </div>
      )}
      <ListTable
        list={rules}
        nouns={['rule', 'rules']}
        label="Retention rules"
        keyOf={({ id }) => id}
        columns={[...ruleColumns, { title: 'Actions', kind: 'actions', show: renderActions }]}
        empty={
          <Empty icon="waiting" title="No retention rules">
            Objects are kept until people delete them.
          </Empty>
        }
      />
      {expired.items.length > 0 && (
        <>
          <h3>Deleted within the hour</h3>
          <ListTable
            list={expired}
            nouns={['object', 'objects']}
            label="Objects that the rules delete now"
            keyOf={({ object_id }) => object_id}
            columns={expiredColumns}
            empty={null}
          />
        </>
      )}
      {dialog}
    </section>
  );
}

const ruleColumns: Column<RetentionRuleRecord>[] = [
  { title: 'Rule', show: ({ rule }) => describeTerm(rule) },
  {
    title: 'Applies to',
    show: ({ scope }) =>
      scope.type === 'project' ? 'All objects' : <ResourceLink id={scope.collection_id} />,
  },
  { title: 'Changed', show: ({ updated_at }) => <Time at={updated_at} /> },
];

const expiredColumns: Column<ExpiredObject>[] = [
  {
    title: 'Object',
    show: ({ object_id, filename }) => (
      <ResourceLink id={object_id}>
        <bdi>{filename}</bdi>
      </ResourceLink>
    ),
  },
  { title: 'Made from it', show: ({ outputs }) => pluralise(outputs, 'object') },
  {
    title: 'Kept by',
    show: ({ kept_by }) =>
      kept_by && (kept_by.type === 'policy' ? <ResourceLink id={kept_by.id} /> : 'another rule'),
  },
];

function describeTerm(rule: RetentionTerm): ComponentChildren {
  switch (rule.type) {
    case 'delete_after':
      return `Delete ${pluralise(rule.days, 'day')} after creation`;
    case 'delete_after_last_job':
      return `Delete ${pluralise(rule.days, 'day')} after the last job`;
    case 'keep_until':
      return (
        <>
          Keep until <Time at={rule.until} />
        </>
      );
  }
}
