import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/hooks.ts';
import type { Answer, ApiRequest } from '../api/request.ts';
import { Button } from './button.tsx';
import { FormDialog } from './form-dialog.tsx';
import { toast } from './toasts.tsx';

/** Cancels a job or a pack (`what`) after confirmation. The children explain the consequences. */
export function CancelButton<Work>(props: {
  what: string;
  isCancelling: boolean;
  request: ApiRequest<Work>;
  onChange: (answer: Answer<Work>) => void;
  children: ComponentChildren;
}) {
  const { what, isCancelling, request, onChange } = props;
  const { run, busy } = useAction();
  const [asking, setAsking] = useState(false);
  const cancel = async (): Promise<void> => {
    const answer = await run(request);
    setAsking(false);
    if (!answer) return;
    onChange(answer);
    toast('good', 'Cancellation requested.');
  };
  return (
    <>
      <Button danger disabled={isCancelling} busy={busy} onClick={() => setAsking(true)}>
        {isCancelling ? 'Cancelling' : `Cancel ${what}`}
      </Button>
      {asking && (
        <FormDialog
          title={`Cancel this ${what}?`}
          action={`Cancel ${what}`}
          dismiss={`Keep ${what}`}
          danger
          busy={busy}
          onSubmit={cancel}
          onClose={() => setAsking(false)}
        >
          {props.children}
        </FormDialog>
      )}
    </>
  );
}
