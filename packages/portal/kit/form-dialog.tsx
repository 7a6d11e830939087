import type { ComponentChildren } from 'preact';
import type { ApiProblem, ApiRequest } from '../api/request.ts';
import { ApiCalls } from './api-calls.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './states.tsx';

/** A dialog that asks for an action's input, or only for confirmation. */
export function FormDialog(props: {
  title: string;
  /** The label of the button that submits. */
  action: ComponentChildren;
  /** The label of the button that closes. Default: Cancel. */
  dismiss?: string;
  danger?: boolean;
  busy?: boolean;
  /** Whether the input cannot be submitted. */
  disabled?: boolean;
  wide?: boolean;
  /** Whether the button that submits has the focus first, so that Enter submits. */
  focusesAction?: boolean;
  calls?: readonly (readonly [title: string, ApiRequest<unknown>])[];
  /** The error of the action, shown below the fields. */
  problem?: ApiProblem | undefined;
  onSubmit: () => unknown;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { danger = false, calls, problem, onClose } = props;
  return (
    <Dialog
      title={props.title}
      wide={props.wide ?? false}
      onClose={onClose}
      onSubmit={() => void props.onSubmit()}
      footer={
        <>
          {calls && <ApiCalls calls={calls} />}
          <Button onClick={onClose}>{props.dismiss ?? 'Cancel'}</Button>
          <span data-first={props.focusesAction || undefined}>
            <Button
              type="submit"
              primary={!danger}
              danger={danger}
              busy={props.busy ?? false}
              disabled={props.disabled ?? false}
            >
              {props.action}
            </Button>
          </span>
        </>
      }
    >
      {props.children}
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}
