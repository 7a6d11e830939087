import type { PresetRecord } from '@scriptorium/contracts/wire/presets';
import type { Capabilities } from '@scriptorium/contracts/wire/service';
import { useState } from 'preact/hooks';
import { type LoadedList, type Page, useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { faultAt, TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { operationTitles } from '../words.ts';
import type { RequestedOperation } from './draft.ts';
import { type JobDraft, obstacleOf, operationsOf } from './draft.ts';
import './presets.css';

/** A preset of the service or of the project. */
export type Choice = Pick<PresetRecord, 'name' | 'description' | 'operations'> & { id?: string };

interface PresetsProps {
  /** The presets of the project. */
  own: LoadedList<PresetRecord, Page<PresetRecord>>;
  capabilities: Capabilities;
  /** The types of the selected objects. */
  mimes: readonly string[];
  /** The selected operations, as requested. */
  operations: readonly RequestedOperation[];
  /** The preset that runs as saved, because its options cannot be shown. */
  sealed: Choice | null;
  onChoose: (choice: Choice) => void;
}

/** The presets to start from, and a button that saves the selected operations as a preset. */
export function Presets(props: PresetsProps) {
  const { own, capabilities, mimes, operations, sealed, onChoose } = props;
  const choices: Choice[] = [...own.items, ...capabilities.presets];
  const now = JSON.stringify(operations);
  const isChosen = (choice: Choice): boolean =>
    sealed
      ? sealed.id === choice.id
      : !hasSecrets(choice) && now === JSON.stringify(operationsOf(draftOf(choice), capabilities));
  return (
    <section class="stack" aria-labelledby="jobs-presets">
      <div class="row">
        <h2 id="jobs-presets">Presets</h2>
        {!sealed && operations.length > 0 && (
          <DialogButton
            small
            quiet
            label="Save as preset"
            dialog={(close) => (
              <SavePreset operations={operations} onClose={close} onSaved={own.reload} />
            )}
          />
        )}
      </div>
      <ProblemNotice problem={own.problem} />
      <ul class="presets">
        {choices.map((choice) => (
          <li key={choice.id ?? choice.name} class="preset">
            <PresetButton
              choice={choice}
              obstacle={obstacleToAny(choice, capabilities, mimes)}
              pressed={isChosen(choice)}
              onChoose={onChoose}
            />
            {choice.id && <DeletePreset id={choice.id} name={choice.name} onDeleted={own.reload} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PresetButton(props: {
  choice: Choice;
  obstacle: string | undefined;
  pressed: boolean;
  onChoose: (choice: Choice) => void;
}) {
  const { choice, obstacle, pressed, onChoose } = props;
  const steps = choice.operations.map(({ op }) => operationTitles[op] ?? op).join(', then ');
  return (
    <button
      type="button"
      class="preset-choice"
      aria-pressed={pressed}
      disabled={obstacle !== undefined}
      onClick={() => onChoose(choice)}
    >
      <strong>
        <bdi>{choice.name}</bdi>
      </strong>
      <span class="soft">{obstacle ?? (choice.description || `${steps}.`)}</span>
    </button>
  );
}

function SavePreset(props: {
  operations: readonly RequestedOperation[];
  onClose: () => void;
  onSaved: () => void;
}) {
  const { operations, onClose, onSaved } = props;
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const save = async (): Promise<void> => {
    const texts = { name: name.trim(), ...(description && { description: description.trim() }) };
    const answer = await run(
      requestFor('createPreset', { body: { ...texts, operations: [...operations] } }),
    );
    if (!answer) return;
    toast('good', `Preset “${answer.data.name}” saved.`);
    onSaved();
    onClose();
  };
  const atName = faultAt(problem, '/name');
  return (
    <FormDialog
      title="Save as preset"
      onClose={onClose}
      onSubmit={save}
      action="Save"
      busy={busy}
      disabled={name.trim() === ''}
    >
      <TextField label="Name" value={name} autofocus fault={atName} onInput={setName} />
      <TextField
        label="Description"
        value={description}
        hint="What the preset is for. Optional."
        fault={faultAt(problem, '/description')}
        onInput={setDescription}
      />
      {!atName && <ProblemNotice problem={problem} />}
    </FormDialog>
  );
}

function DeletePreset(props: { id: string; name: string; onDeleted: () => void }) {
  const { id, name, onDeleted } = props;
  const { run, busy } = useAction();
  const [asking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    if (!(await run(requestFor('deletePreset', { id })))) return;
    setAsking(false);
    onDeleted();
  };
  return (
    <>
      <Button small quiet label={`Delete the preset ${name}`} onClick={() => setAsking(true)}>
        ×
      </Button>
      {asking && (
        <FormDialog
          title="Delete preset"
          action="Delete preset"
          danger
          busy={busy}
          onSubmit={remove}
          onClose={() => setAsking(false)}
        >
          <p>
            <bdi>{name}</bdi> is deleted for everyone in the project. Jobs that were started with it
            continue.
          </p>
        </FormDialog>
      )}
    </>
  );
}

/** Converts a preset to a draft. */
export function draftOf({ operations }: Choice): JobDraft {
  return Object.fromEntries(operations.map(({ op, options }) => [op, options]));
}

/** Whether a preset has patterns or values that this session cannot read. */
export function hasSecrets({ operations }: Choice): boolean {
  return operations.some(({ options: { allow_list: allowed, custom_patterns: patterns } }) => {
    const named = Array.isArray(patterns) ? patterns : [];
    return allowed === null || named.some((one) => one?.pattern === null);
  });
}

function obstacleToAny(
  { operations }: Choice,
  capabilities: Capabilities,
  mimes: readonly string[],
): string | undefined {
  return capabilities.operations
    .filter(({ op }) => operations.some((one) => one.op === op))
    .map((operation) => obstacleOf(operation, mimes))
    .find((obstacle) => obstacle !== undefined);
}
