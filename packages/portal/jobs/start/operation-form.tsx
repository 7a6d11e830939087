import type { Capabilities } from '@scriptorium/contracts/wire/service';
import type { ApiProblem } from '../../api/request.ts';
import { CheckField, faultAt } from '../../kit/fields/field.tsx';
import { operationTitles } from '../words.ts';
import { OptionField } from './option-field.tsx';
import { isApplicable, optionsOf } from './schema.ts';

interface OperationFormProps {
  operation: Capabilities['operations'][number];
  languages: readonly string[] | null;
  /** The options that were changed; undefined if the operation is not selected. */
  chosen: Readonly<Record<string, unknown>> | undefined;
  /** Why it cannot be selected. */
  obstacle: string | undefined;
  /** Whether the key can keep unredacted outputs. */
  mayKeep: boolean;
  problem: ApiProblem | undefined;
  /** Its index in the request. */
  index: number;
  onChange: (chosen: Readonly<Record<string, unknown>> | undefined) => void;
}

/** One operation, and its options once it is selected. */
export function OperationForm(props: OperationFormProps) {
  const { operation, chosen, obstacle, problem, index, onChange } = props;
  const at = `/operations/${index}`;
  return (
    <section class="card stack" aria-label={operationTitles[operation.op] ?? operation.op}>
      <CheckField
        label={
          <strong>
            {operationTitles[operation.op] ?? operation.op} <code>{operation.op}</code>
          </strong>
        }
        hint={obstacle ?? `${operation.summary} ${maturity[operation.maturity]}`}
        checked={chosen !== undefined}
        disabled={obstacle !== undefined}
        onChange={(on) => onChange(on ? {} : undefined)}
      />
      {chosen && (
        <div class="jobs-options">
          {(faultAt(problem, at) ?? faultAt(problem, `${at}/op`)) && (
            <span class="fault">{faultAt(problem, at) ?? faultAt(problem, `${at}/op`)}</span>
          )}
          {optionsOf(operation)
            .filter((option) => isApplicable(option, chosen))
            .map((option) => (
              <OptionField
                key={option.name}
                option={
                  option.name === 'keep_unredacted' && !props.mayKeep
                    ? { ...option, hint: `${option.hint} This API key does not have it.` }
                    : option
                }
                value={chosen[option.name]}
                languages={props.languages}
                faultAt={(place) => faultAt(problem, `${at}/options/${option.name}${place}`)}
                onChange={(value) => onChange({ ...chosen, [option.name]: value })}
              />
            ))}
        </div>
      )}
    </section>
  );
}

const maturity = { stable: 'Stable.', expanding: 'Beta.' };
