import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { Button } from '../../../kit/button.tsx';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { SelectField } from '../../../kit/fields/field.tsx';
import {
  actorName,
  describeLocation,
  formatPercent,
  outcomeOf,
  outcomeTitles,
} from '../../finding-text.ts';
import { isWidened } from '../pages/marks.tsx';
import { KeyHint } from '../shortcuts.tsx';
import { typeOptions } from '../tools/use-tool-keys.ts';

/** The current finding, with its actions. */
export function CurrentFinding(props: {
  finding: FindingRecord | undefined;
  mayDecide: boolean;
  canUndo: boolean;
  onDecide: (verb: 'accept' | 'reject') => void;
  onRemove: () => void;
  onRetype: (type: string) => void;
  onUndo: () => void;
  onStep: (direction: 1 | -1) => void;
}) {
  const { finding, mayDecide, canUndo, onDecide, onRemove, onRetype, onUndo, onStep } = props;
  const isAdded = finding?.source === 'person';
  return (
    <section class="bench-current" aria-label="Current finding">
      {finding ? <FindingSummary finding={finding} /> : <p class="soft">No finding selected.</p>}
      {finding && mayDecide && <TypeField finding={finding} onChange={onRetype} />}
      <div class="bench-buttons">
        <Button small label="Previous finding" onClick={() => onStep(-1)}>
          Previous <KeyHint of="K" />
        </Button>
        <Button small label="Next finding" onClick={() => onStep(1)}>
          Next <KeyHint of="J" />
        </Button>
        {mayDecide && (
          <>
            {isAdded ? (
              <Button small danger label="Delete added finding" onClick={onRemove}>
                Delete <KeyHint of="R" />
              </Button>
            ) : (
              <>
                <Button small primary disabled={!finding} onClick={() => onDecide('accept')}>
                  Accept <KeyHint of="A" />
                </Button>
                <Button small disabled={!finding} onClick={() => onDecide('reject')}>
                  Reject <KeyHint of="R" />
                </Button>
              </>
            )}
            <Button small disabled={!canUndo} onClick={onUndo}>
              Undo <KeyHint of="U" />
            </Button>
          </>
        )}
      </div>
    </section>
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
          decided_by ? `by ${actorName(decided_by)}` : undefined,
        ]
          .filter((part) => part !== undefined)
          .join(' · ')}
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
