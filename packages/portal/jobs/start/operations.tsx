import type { Capabilities } from '@scriptorium/contracts/wire/service';
import type { ApiProblem } from '../../api/request.ts';
import { useSession } from '../../shell/session.tsx';
import type { RequestedOperation } from './draft.ts';
import { isPaged, type JobDraft, unavailableReasonFor } from './draft.ts';
import { OperationForm } from './operation-form.tsx';

/** The operations to select, with their options. */
export function Operations(props: {
  capabilities: Capabilities;
  /** The types of the selected objects. */
  mimes: readonly string[];
  draft: JobDraft;
  onChange: (change: (draft: JobDraft) => JobDraft) => void;
  /** The selected operations, as requested. */
  operations: readonly RequestedOperation[];
  problem: ApiProblem | undefined;
}) {
  const { capabilities, mimes, draft, onChange, operations, problem } = props;
  const { can } = useSession();
  return (
    <>
      <h2>Operations</h2>
      <p class="soft">Operations run in this order, each on the result of the one before.</p>
      {capabilities.operations.map((operation) => (
        <OperationForm
          key={operation.op}
          operation={operation}
          languages={operation.op === 'ocr' ? capabilities.ocr_languages : null}
          changedOptions={draft[operation.op]}
          unavailableReason={unavailableReasonFor(operation, mimes)}
          canKeepUnredacted={can('pii:read')}
          problem={problem}
          index={operations.findIndex(({ op }) => op === operation.op)}
          onChange={(chosen) =>
            onChange((now) => {
              const { [operation.op]: _before, ...rest } = now;
              return chosen ? { ...rest, [operation.op]: chosen } : rest;
            })
          }
        />
      ))}
      {operations.length > 0 && operations[0]?.op !== 'ocr' && mimes.some(isPaged) && (
        <p class="notice">
          The service adds an <code>ocr</code> operation to read PDFs and images. It skips pages
          that already have text and creates no outputs. To choose the languages, select{' '}
          <code>ocr</code> yourself.
        </p>
      )}
    </>
  );
}
