import { useState } from 'preact/hooks';
import type {
  ConsumerCreate,
  ConsumerRecord,
  ConsumerSeek,
} from '../../../contracts/wire/consumers.ts';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { faultAt, faultsIn, SelectField, TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { createConsumer, seekConsumer } from './requests.ts';

interface FormProps {
  onClose: () => void;
  onDone: () => void;
}

export function CreateConsumer({ onClose, onDone }: FormProps) {
  const { can } = useSession();
  const [name, setName] = useState('');
  const [types, setTypes] = useState('');
  const [category, setCategory] = useState('domain');
  const [resource, setResource] = useState('');
  const [start, setStart] = useState('earliest');
  const { run, busy, problem } = useAction({ quiet: true });
  const wanted = types.split(/[\s,]+/).filter(Boolean);
  const create = async () => {
    const body: ConsumerCreate = {
      name,
      category: category === 'audit' ? 'audit' : 'domain',
      start: start === 'latest' ? 'latest' : 'earliest',
      ...(wanted.length > 0 ? { event_types: wanted } : {}),
      ...(resource ? { resource_id: resource } : {}),
    };
    if (!(await run(createConsumer(body)))) return;
    toast('good', `The consumer ${name} is made.`);
    onDone();
    onClose();
  };
  return (
    <Dialog
      title="Create a consumer"
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" busy={busy}>
            Create the consumer
          </Button>
        </>
      }
    >
      <p>What it reads is fixed from here on; for something else make another one.</p>
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
            ['domain', 'Domain: changes of resources'],
            ['audit', 'Audit: who did what'],
          ]}
          fault={faultAt(problem, '/category')}
        />
      )}
      <TextField
        label="Event types"
        hint="Such as documents.* or dam.object.created, with spaces between. All without any."
        value={types}
        onInput={setTypes}
        fault={faultsIn(problem, '/event_types')}
      />
      <TextField
        label="Of one resource only"
        hint="Its identifier, or nothing for all."
        value={resource}
        onInput={(value) => setResource(value.trim())}
        fault={faultAt(problem, '/resource_id')}
      />
      <SelectField
        label="Begins"
        value={start}
        onChange={setStart}
        options={[
          ['earliest', 'At the earliest event that is kept'],
          ['latest', 'With what comes from now on'],
        ]}
      />
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}

export function SeekConsumer({
  of: consumer,
  onClose,
  onDone,
}: FormProps & { of: ConsumerRecord }) {
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
    const answer = await run(seekConsumer(consumer.id, target));
    if (!answer) return;
    toast('good', `The consumer ${consumer.name} goes on after ${answer.data.position}.`);
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={`Move ${consumer.name}`}
      onClose={onClose}
      onSubmit={() => void seek()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" busy={busy}>
            Move the consumer
          </Button>
        </>
      }
    >
      <p>
        It stands at {consumer.position} of {consumer.latest_sequence}. Moved forwards it passes
        over what lies between; moved back it reads it again.
      </p>
      <SelectField
        label="Go on"
        value={to}
        onChange={setTo}
        options={[
          ['latest', 'With what comes from now on'],
          ['earliest', 'With the earliest event that is kept'],
          ['sequence', 'After a sequence'],
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
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}
