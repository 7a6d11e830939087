import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/hooks.ts';
import type { ApiRequest, ApiResponse } from '../api/request.ts';
import { Button } from './button.tsx';
import { FormDialog } from './form-dialog.tsx';
import { toast } from './toasts.tsx';

/** Cancels a job or a pack (`noun`) after confirmation. The children explain the consequences. */
export function CancelButton<Resource>(props: {
  noun: string;
  isCancelling: boolean;
  request: ApiRequest<Resource>;
  onChange: (answer: ApiResponse<Resource>) => void;
  children: ComponentChildren;
}) {
  const { noun, isCancelling, request, onChange } = props;
  const { run, busy } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const cancel = async (): Promise<void> => {
    const answer = await run(request);
    setIsConfirming(false);
    if (!answer) return;
    onChange(answer);
    toast('good', 'Cancellation requested.');
  };
  return (
    <>
      <Button danger disabled={isCancelling} busy={busy} onClick={() => setIsConfirming(true)}>
        {isCancelling ? 'Cancelling' : `Cancel ${noun}`}
      </Button>
      {isConfirming && (
        <FormDialog
          title={`Cancel this ${noun}?`}
          action={`Cancel ${noun}`}
          dismiss={`Keep ${noun}`}
          danger
          busy={busy}
          onSubmit={cancel}
          onClose={() => setIsConfirming(false)}
        >
          {props.children}
        </FormDialog>
      )}
    </>
  );
}
