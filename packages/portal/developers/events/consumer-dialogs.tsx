import type {
  ConsumerCreate,
  ConsumerRecord,
  ConsumerSeek,
} from '@scriptorium/contracts/wire/consumers';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { faultAt, faultsIn, SelectField, TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';

interface FormProps {
  onClose: () => void;
  onDone: () => void;
}

export function CreateConsumerDialog({ onClose, onDone }: FormProps) {
  const { can } = useSession();
  const [name, setName] = useState('');
  const [types, setTypes] = useState('');
  const [category, setCategory] = useState('domain');
  const [resource, setResource] = useState('');
  const [start, setStart] = useState('earliest');
  const { run, busy, problem } = useAction({ quiet: true });
  const eventTypes = types.split(/[\s,]+/).filter(Boolean);
  const create = async () => {
    const body: ConsumerCreate = {
      name,
      category: category === 'audit' ? 'audit' : 'domain',
      start: start === 'latest' ? 'latest' : 'earliest',
      ...(eventTypes.length > 0 ? { event_types: eventTypes } : {}),
      ...(resource ? { resource_id: resource } : {}),
    };
    if (!(await run(requestFor('createConsumer', { body })))) return;
    toast('good', `Consumer ${name} created.`);
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Create consumer"
      onClose={onClose}
      onSubmit={create}
      action="Create consumer"
      busy={busy}
      problem={problem}
    >
      <p>You cannot change what a consumer reads after creating it.</p>
      <TextField
        label="Name"
        hint="Letters, digits, dots, hyphens and underscores."
        value={name}
        onInput={setName}
        fault={faultAt(problem, '/name')}
        required
      />
      {can('audit:read') && (
        <SelectField
          label="Category"
          value={category}
          onChange={setCategory}
          options={[
            ['domain', 'Domain: changes to resources'],
            ['audit', 'Audit: who did what'],
          ]}
          fault={faultAt(problem, '/category')}
        />
      )}
      <TextField
        label="Event types"
        hint="For example documents.* or dam.object.created. Separate types with spaces. Leave empty for all."
        value={types}
        onInput={setTypes}
        fault={faultsIn(problem, '/event_types')}
      />
      <TextField
        label="Resource"
        hint="The ID of a resource. Leave empty for all."
        value={resource}
        onInput={(value) => setResource(value.trim())}
        fault={faultAt(problem, '/resource_id')}
      />
      <SelectField
        label="Start"
        value={start}
        onChange={setStart}
        options={[
          ['earliest', 'At the earliest available event'],
          ['latest', 'With new events only'],
        ]}
      />
    </FormDialog>
  );
}

export function SeekConsumerDialog({
  consumer,
  onClose,
  onDone,
}: FormProps & { consumer: ConsumerRecord }) {
  const [to, setTo] = useState('latest');
  const [value, setValue] = useState(String(consumer.position));
  const { run, busy, problem } = useAction({ quiet: true });
  const target: ConsumerSeek =
    to === 'earliest' || to === 'latest'
      ? { to }
      : to === 'event'
        ? { event_id: value.trim() }
        : { sequence: Number(value) };
  const seek = async () => {
    const response = await run(requestFor('seekConsumer', { id: consumer.id, body: target }));
    if (!response) return;
    toast('good', `Consumer ${consumer.name} moved to position ${response.data.position}.`);
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Move ${consumer.name}`}
      onClose={onClose}
      onSubmit={seek}
      action="Move consumer"
      busy={busy}
      problem={problem}
    >
      <p>
        Current position: {consumer.position} of {consumer.latest_sequence}. Moving forward skips
        events; moving back reads them again.
      </p>
      <SelectField
        label="Continue"
        value={to}
        onChange={setTo}
        options={[
          ['latest', 'With new events only'],
          ['earliest', 'At the earliest available event'],
          ['sequence', 'After a sequence number'],
          ['event', 'After an event'],
        ]}
      />
      {to === 'sequence' && (
        <TextField
          label="Sequence"
          type="number"
          min={0}
          value={value}
          onInput={setValue}
          fault={faultAt(problem, '/sequence')}
          required
        />
      )}
      {to === 'event' && (
        <TextField
          label="Event"
          placeholder="evt_…"
          value={value}
          onInput={setValue}
          fault={faultAt(problem, '/event_id')}
          required
        />
      )}
    </FormDialog>
  );
}
