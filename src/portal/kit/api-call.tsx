import { type ApiRequest, asCurl } from '../api/request.ts';
import { Dialog, DialogButton } from './dialog.tsx';
import { Copy } from './values.tsx';

/** Shows the API calls behind what the screen does: each as a line for a shell. */
export function ApiCalls({
  calls,
}: {
  calls: readonly (readonly [title: string, ApiRequest<unknown>])[];
}) {
  return (
    <DialogButton
      label="API"
      quiet
      small
      class="api-call"
      dialog={(close) => (
        <Dialog title="The same with the API" wide onClose={close}>
          {calls.map(([title, request]) => {
            const curl = asCurl(request);
            return (
              <section key={title} class="stack">
                <div class="row">
                  <h3>{title}</h3>
                  <code>
                    {request.method} {request.path}
                  </code>
                  <Copy text={curl} what={`the call: ${title}`} />
                </div>
                <pre class="code" tabIndex={0}>
                  {curl}
                </pre>
              </section>
            );
          })}
        </Dialog>
      )}
    />
  );
}
