import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { Button } from '../../../kit/button.tsx';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { SelectField } from '../../../kit/fields/field.tsx';
import { ActorName } from '../../actor-name.tsx';
import { describeLocation, formatPercent, outcomeOf, outcomeTitles } from '../../finding-text.ts';
import { isWidened } from '../pages/marks.tsx';
import { KeyHint } from '../shortcuts.tsx';
import { typeOptions } from '../tools/use-tool-keys.ts';
import type { Decisions } from '../use-decisions.ts';
import { type FindingGroup, findingsToDecide } from './groups.ts';

interface CurrentFindingProps {
  finding: FindingRecord | undefined;
  /** The findings that a decision includes. */
  group: FindingGroup | undefined;
  mayDecide: boolean;
  /** Whether all findings are loaded, so that the group is complete. */
  isComplete: boolean;
  canUndo: boolean;
  actions: Decisions;
}

/** The current finding and the others of its value, with their actions. */
export function CurrentFinding(props: CurrentFindingProps) {
  const { finding, group, mayDecide, canUndo, actions } = props;
  return (
    <section class="bench-current" aria-label="Current finding">
      {finding ? <FindingSummary finding={finding} /> : <p class="soft">No finding selected.</p>}
      {finding && group && group.findings.length > 1 && (
        <PlaceButtons {...{ finding, group, mayDecide, actions }} />
      )}
      {finding && mayDecide && <TypeField finding={finding} onChange={actions.retype} />}
      <div class="bench-buttons">
        <Button small label="Previous finding" onClick={() => actions.step(-1)}>
          Previous <KeyHint of="K" />
        </Button>
        <Button small label="Next finding" onClick={() => actions.step(1)}>
          Next <KeyHint of="J" />
        </Button>
        {mayDecide && (
          <>
            <DecisionButtons {...props} />
            <Button small disabled={!canUndo} onClick={() => void actions.undo()}>
              Undo <KeyHint of="U" />
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** Decides about all findings of the value, or deletes a finding that a person added. */
function DecisionButtons({ finding, group, isComplete, actions }: CurrentFindingProps) {
  if (finding?.source === 'person') {
    return (
      <Button small danger label="Delete added finding" onClick={() => actions.decide('reject')}>
        Delete <KeyHint of="R" />
      </Button>
    );
  }
  const count = group ? findingsToDecide(group, finding).length : 1;
  const places = count > 1 ? ` ${count.toLocaleString()} places` : '';
  const isDisabled = !finding || !isComplete;
  return (
    <>
      <Button small primary disabled={isDisabled} onClick={() => actions.decide('accept')}>
        Accept{places} <KeyHint of="A" />
      </Button>
      <Button small disabled={isDisabled} onClick={() => actions.decide('reject')}>
        Reject{places} <KeyHint of="R" />
      </Button>
    </>
  );
}

/** Goes through the places of a value, and decides about one of them. */
function PlaceButtons(props: {
  finding: FindingRecord;
  group: FindingGroup;
  mayDecide: boolean;
  actions: Decisions;
}) {
  const { finding, group, mayDecide, actions } = props;
  const { findings, pageCount } = group;
  const at = findings.findIndex(({ id }) => id === finding.id) + 1;
  return (
    <div class="bench-places">
      <p class="soft">
        Place {at.toLocaleString()} of {findings.length.toLocaleString()}, on{' '}
        {pluralise(pageCount, 'page')}
      </p>
      <div class="bench-buttons">
        <Button small quiet label="Previous place" onClick={() => actions.stepPlace(-1)}>
          ‹ <KeyHint of="H" />
        </Button>
        <Button small quiet label="Next place" onClick={() => actions.stepPlace(1)}>
          › <KeyHint of="L" />
        </Button>
        {mayDecide && (
          <>
            <Button small quiet onClick={() => actions.decidePlace('accept')}>
              Accept place <KeyHint of="⇧A" />
            </Button>
            <Button small quiet onClick={() => actions.decidePlace('reject')}>
              Reject place <KeyHint of="⇧R" />
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** The type of a finding, which a person may correct. */
function TypeField(props: { finding: FindingRecord; onChange: (type: string) => void }) {
  const { type, decision } = props.finding;
  const isKnown = typeOptions.some(([name]) => name === type);
  return (
    <SelectField
      label="Type of this finding"
      value={type}
      onChange={props.onChange}
      options={isKnown ? typeOptions : [[type, entityTitle(type)], ...typeOptions]}
      {...(decision === 'accepted' ? {} : { hint: 'Changing the type accepts the finding.' })}
    />
  );
}

function FindingSummary({ finding }: { finding: FindingRecord }) {
  const { type, score, text, decided_by, reason, removal, decision } = finding;
  const outcome = outcomeOf(finding);
  return (
    <div>
      <p class="bench-head" aria-live="polite">
        <strong>
          <bdi>{text ?? entityTitle(type)}</bdi>
        </strong>{' '}
        <span class={`badge bench-badge ${outcome}`}>{outcomeTitles[outcome]}</span>
      </p>
      <p class="soft">
        {[
          entityTitle(type),
          score === null ? undefined : `score ${formatPercent(score)}`,
          describeLocation(finding),
        ]
          .filter((part) => part !== undefined)
          .join(' · ')}
        {decided_by && (
          <>
            {' · by '}
            <ActorName actor={decided_by} />
          </>
        )}
      </p>
      {reason !== null && (
        <p>
          Reason: <bdi>{reason}</bdi>
        </p>
      )}
      <p class="soft bench-note">{removalNote(finding, decision, removal)}</p>
    </div>
  );
}

function removalNote(
  finding: FindingRecord,
  decision: FindingRecord['decision'],
  removal: FindingRecord['removal'],
): string {
  if (finding.boxes.length === 0) return '';
  if (decision === 'rejected') return 'Stays in the file.';
  if (removal === null) return 'Computing the area to paint over…';
  return isWidened(finding)
    ? 'The box is wider than the words, so that it does not reveal their length.'
    : 'The box will be painted over.';
}
