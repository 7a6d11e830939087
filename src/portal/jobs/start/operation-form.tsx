import type { Capabilities } from '../../../contracts/wire/service.ts';
import type { ApiProblem } from '../../api/request.ts';
import { CheckField, faultAt } from '../../kit/field.tsx';
import { operationTitles } from '../words.ts';
import { OptionField } from './option-field.tsx';
import { optionsOf } from './schema.ts';

interface OperationFormProps {
  operation: Capabilities['operations'][number];
  languages: readonly string[] | null;
  /** What was chosen of its options; undefined when it is not asked for. */
  chosen: Readonly<Record<string, unknown>> | undefined;
  /** Why it cannot be asked for. */
  obstacle: string | undefined;
  /** Whether the key may have unredacted outputs kept. */
  mayKeep: boolean;
  problem: ApiProblem | undefined;
  /** Its place in the request. */
  index: number;
  onChange: (chosen: Readonly<Record<string, unknown>> | undefined) => void;
}

/** One operation to ask for, and its options once it is. */
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
          {optionsOf(operation).map((option) => (
            <OptionField
              key={option.name}
              option={
                option.name === 'keep_unredacted' && !props.mayKeep
                  ? { ...option, hint: `${option.hint} This key does not have it.` }
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

const maturity = { stable: 'Stable.', expanding: 'Still expanding.' };
