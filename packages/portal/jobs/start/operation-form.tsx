import type { Capabilities } from '@scriptorium/contracts/wire/service';
import type { ApiProblem } from '../../api/request.ts';
import { CheckField, faultAt } from '../../kit/fields/field.tsx';
import { operationTitles } from '../job-display.ts';
import { OptionField } from './option-field.tsx';
import { isApplicable, optionsOf } from './schema.ts';

interface OperationFormProps {
  operation: Capabilities['operations'][number];
  languages: readonly string[] | null;
  /** The options that were changed; undefined if the operation is not selected. */
  changedOptions: Readonly<Record<string, unknown>> | undefined;
  /** Why it cannot be selected. */
  unavailableReason: string | undefined;
  /** Whether the key can keep unredacted outputs. */
  canKeepUnredacted: boolean;
  problem: ApiProblem | undefined;
  /** Its index in the request. */
  index: number;
  onChange: (changedOptions: Readonly<Record<string, unknown>> | undefined) => void;
}

/** One operation, and its options once it is selected. */
export function OperationForm(props: OperationFormProps) {
  const { operation, changedOptions, unavailableReason, problem, index, onChange } = props;
  const pointer = `/operations/${index}`;
  return (
    <section class="card stack" aria-label={operationTitles[operation.op] ?? operation.op}>
      <CheckField
        label={
          <strong>
            {operationTitles[operation.op] ?? operation.op} <code>{operation.op}</code>
          </strong>
        }
        hint={unavailableReason ?? `${operation.summary} ${maturityLabels[operation.maturity]}`}
        checked={changedOptions !== undefined}
        disabled={unavailableReason !== undefined}
        onChange={(on) => onChange(on ? {} : undefined)}
      />
      {changedOptions && (
        <div class="jobs-options">
          {(faultAt(problem, pointer) ?? faultAt(problem, `${pointer}/op`)) && (
            <span class="fault">
              {faultAt(problem, pointer) ?? faultAt(problem, `${pointer}/op`)}
            </span>
          )}
          {optionsOf(operation)
            .filter((option) => isApplicable(option, changedOptions))
            .map((option) => (
              <OptionField
                key={option.name}
                option={
                  option.name === 'keep_unredacted' && !props.canKeepUnredacted
                    ? { ...option, hint: `${option.hint} This API key does not have it.` }
                    : option
                }
                value={changedOptions[option.name]}
                languages={props.languages}
                faultAt={(subpointer) =>
                  faultAt(problem, `${pointer}/options/${option.name}${subpointer}`)
                }
                onChange={(value) => onChange({ ...changedOptions, [option.name]: value })}
              />
            ))}
        </div>
      )}
    </section>
  );
}

const maturityLabels = { stable: 'Stable.', expanding: 'Beta.' };
