import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';

/** Asks for the name of the project, then deletes it. The session ends with the project. */
export function DeleteProjectDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const remove = async () => {
    // Leads to the login, or to another project of the person.
    if (await run(requestFor('deleteProject', { body: { name: typed } }))) location.reload();
  };
  return (
    <FormDialog
      title="Delete this project?"
      action="Delete project"
      danger
      busy={busy}
      disabled={typed !== name}
      problem={problem}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        All sessions, keys and links stop working immediately. Everything in the project is deleted
        for good.
      </p>
      <TextField
        label="Name of the project"
        hint={`Enter “${name}” to confirm.`}
        value={typed}
        autofocus
        onInput={setTyped}
      />
    </FormDialog>
  );
}
