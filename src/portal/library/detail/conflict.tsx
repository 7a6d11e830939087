import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import {
  changedFields,
  type Described,
  type Draft,
  draftOf,
  fieldNames,
  isSame,
  sayField,
} from './draft.ts';

/** Somebody else saved in between: what they did, what one was about to do, and the choice. */
export function Conflict(props: {
  base: Described;
  mine: Draft;
  theirs: Described;
  busy: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}) {
  const { base, mine } = props;
  const before = draftOf(base);
  const theirs = draftOf(props.theirs);
  const changedByMe = changedFields(base, before, mine);
  const changedByThem = changedFields(base, before, theirs);
  const both = changedByMe.filter(
    (field) => changedByThem.includes(field) && !isSame(mine, theirs, field),
  );
  const shown = [...new Set([...changedByThem, ...changedByMe])];
  return (
    <Dialog
      title="Somebody changed this meanwhile"
      wide
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Go on editing</Button>
          <Button onClick={props.onTakeTheirs}>Take theirs</Button>
          <Button primary busy={props.busy} onClick={props.onKeepMine}>
            {both.length > 0 ? 'Save mine over theirs' : 'Save both'}
          </Button>
        </>
      }
    >
      <p>
        {both.length > 0
          ? `You both changed: ${both.map((field) => fieldNames[field]).join(', ')}. Nothing of yours is saved yet.`
          : 'You changed different fields: both changes can stand. Nothing of yours is saved yet.'}
      </p>
      <section class="table-frame" tabIndex={0} aria-label="The changes">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">Now there</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((field) => (
              <tr key={field}>
                <th scope="row">{fieldNames[field]}</th>
                {[before, theirs, mine].map((draft, at) => (
                  <td key={at} class="detail-said" dir="auto">
                    {sayField(draft, field)}
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
