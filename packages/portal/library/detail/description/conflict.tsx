import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import {
  changedFields,
  type DescriptionDraft,
  descriptionDraftOf,
  type EditableResource,
  fieldNames,
  formatField,
  isSame,
} from './draft.ts';

/** Compares conflicting changes, and asks which to keep. */
export function ConflictDialog(props: {
  base: EditableResource;
  mine: DescriptionDraft;
  theirs: EditableResource;
  busy: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}) {
  const { base, mine } = props;
  const baseDraft = descriptionDraftOf(base);
  const theirs = descriptionDraftOf(props.theirs);
  const changedByMe = changedFields(base, baseDraft, mine);
  const changedByThem = changedFields(base, baseDraft, theirs);
  const conflictingFields = changedByMe.filter(
    (field) => changedByThem.includes(field) && !isSame(mine, theirs, field),
  );
  const fields = [...new Set([...changedByThem, ...changedByMe])];
  return (
    <Dialog
      title="Conflicting changes"
      wide
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Keep editing</Button>
          <Button onClick={props.onTakeTheirs}>Discard mine</Button>
          <Button primary busy={props.busy} onClick={props.onKeepMine}>
            {conflictingFields.length > 0 ? 'Overwrite with mine' : 'Save both'}
          </Button>
        </>
      }
    >
      <p>
        {conflictingFields.length > 0
          ? `Someone else also changed: ${conflictingFields.map((field) => fieldNames[field]).join(', ')}. Your changes are not saved yet.`
          : 'Someone else changed other fields, so both changes can be kept. Your changes are not saved yet.'}
      </p>
      <section class="table-frame" tabIndex={0} aria-label="Changes">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">Saved</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{fieldNames[field]}</th>
                {[baseDraft, theirs, mine].map((draft, at) => (
                  <td key={at} class="detail-said" dir="auto">
                    {formatField(draft, field)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  );
}
