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
import { operationTitles } from '../job-display.ts';
import type { RequestedOperation } from './draft.ts';
import { type JobDraft, operationsOf, unavailableReasonFor } from './draft.ts';
import './presets.css';

/** A preset of the service or of the project. */
export type PresetChoice = Pick<PresetRecord, 'name' | 'description' | 'operations'> & {
  id?: string;
};

interface PresetsProps {
  /** The presets of the project. */
  projectPresets: LoadedList<PresetRecord, Page<PresetRecord>>;
  capabilities: Capabilities;
  /** The types of the selected objects. */
  mimes: readonly string[];
  /** The selected operations, as requested. */
  operations: readonly RequestedOperation[];
  /** The preset that runs as saved, because its options cannot be shown. */
  unreadablePreset: PresetChoice | null;
  onChoose: (choice: PresetChoice) => void;
}

/** The presets to start from, and a button that saves the selected operations as a preset. */
export function Presets(props: PresetsProps) {
  const { projectPresets, capabilities, mimes, operations, unreadablePreset, onChoose } = props;
  const choices: PresetChoice[] = [...projectPresets.items, ...capabilities.presets];
  const currentOperations = JSON.stringify(operations);
  const isSelected = (choice: PresetChoice): boolean =>
    unreadablePreset
      ? unreadablePreset.id === choice.id
      : !hasUnreadableOptions(choice) &&
        currentOperations === JSON.stringify(operationsOf(draftOf(choice), capabilities));
  return (
    <section class="stack" aria-labelledby="jobs-presets">
      <div class="row">
        <h2 id="jobs-presets">Presets</h2>
        {!unreadablePreset && operations.length > 0 && (
          <DialogButton
            small
            quiet
            label="Save as preset"
            dialog={(close) => (
              <SavePresetDialog
                operations={operations}
                onClose={close}
                onSaved={projectPresets.reload}
              />
            )}
          />
        )}
      </div>
      <ProblemNotice problem={projectPresets.problem} />
      <ul class="presets">
        {choices.map((choice) => (
          <li key={choice.id ?? choice.name} class="preset">
            <PresetButton
              choice={choice}
              unavailableReason={presetUnavailableReason(choice, capabilities, mimes)}
              pressed={isSelected(choice)}
              onChoose={onChoose}
            />
            {choice.id && (
              <DeletePresetButton
                id={choice.id}
                name={choice.name}
                onDeleted={projectPresets.reload}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PresetButton(props: {
  choice: PresetChoice;
  unavailableReason: string | undefined;
  pressed: boolean;
  onChoose: (choice: PresetChoice) => void;
}) {
  const { choice, unavailableReason, pressed, onChoose } = props;
  const steps = choice.operations.map(({ op }) => operationTitles[op] ?? op).join(', then ');
  return (
    <button
      type="button"
      class="preset-choice"
      aria-pressed={pressed}
      disabled={unavailableReason !== undefined}
      onClick={() => onChoose(choice)}
    >
      <strong>
        <bdi>{choice.name}</bdi>
      </strong>
      <span class="soft">{unavailableReason ?? (choice.description || `${steps}.`)}</span>
    </button>
  );
}

function SavePresetDialog(props: {
  operations: readonly RequestedOperation[];
  onClose: () => void;
  onSaved: () => void;
}) {
  const { operations, onClose, onSaved } = props;
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const save = async (): Promise<void> => {
    const details = { name: name.trim(), ...(description && { description: description.trim() }) };
    const response = await run(
      requestFor('createPreset', { body: { ...details, operations: [...operations] } }),
    );
    if (!response) return;
    toast('good', `Preset “${response.data.name}” saved.`);
    onSaved();
    onClose();
  };
  const nameFault = faultAt(problem, '/name');
  return (
    <FormDialog
      title="Save as preset"
      onClose={onClose}
      onSubmit={save}
      action="Save"
      busy={busy}
      disabled={name.trim() === ''}
    >
      <TextField label="Name" value={name} autofocus fault={nameFault} onInput={setName} />
      <TextField
        label="Description"
        value={description}
        hint="What the preset is for. Optional."
        fault={faultAt(problem, '/description')}
        onInput={setDescription}
      />
      {!nameFault && <ProblemNotice problem={problem} />}
    </FormDialog>
  );
}

function DeletePresetButton(props: { id: string; name: string; onDeleted: () => void }) {
  const { id, name, onDeleted } = props;
  const { run, busy } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = async (): Promise<void> => {
    if (!(await run(requestFor('deletePreset', { id })))) return;
    setIsConfirming(false);
    onDeleted();
  };
  return (
    <>
      <Button small quiet label={`Delete the preset ${name}`} onClick={() => setIsConfirming(true)}>
        ×
      </Button>
      {isConfirming && (
        <FormDialog
          title="Delete preset"
          action="Delete preset"
          danger
          busy={busy}
          onSubmit={remove}
          onClose={() => setIsConfirming(false)}
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
export function draftOf({ operations }: PresetChoice): JobDraft {
  return Object.fromEntries(operations.map(({ op, options }) => [op, options]));
}

/** Whether a preset has patterns or values that this session cannot read. */
export function hasUnreadableOptions({ operations }: PresetChoice): boolean {
  return operations.some(({ options: { allow_list: allowed, custom_patterns: patterns } }) => {
    const customPatterns = Array.isArray(patterns) ? patterns : [];
    return allowed === null || customPatterns.some((one) => one?.pattern === null);
  });
}

function presetUnavailableReason(
  { operations }: PresetChoice,
  capabilities: Capabilities,
  mimes: readonly string[],
): string | undefined {
  return capabilities.operations
    .filter(({ op }) => operations.some((one) => one.op === op))
    .map((operation) => unavailableReasonFor(operation, mimes))
    .find((obstacle) => obstacle !== undefined);
}
