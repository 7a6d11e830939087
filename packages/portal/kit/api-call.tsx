import { type ApiRequest, asCurl } from '../api/request.ts';
import { Dialog, DialogButton } from './dialog.tsx';
import { Copy } from './values.tsx';

/** Returns the operation in the API docs, which contain its path. */
function docsOf({ method, path }: ApiRequest<unknown>): string {
  return `/docs/operation?${new URLSearchParams({ method, path }).toString()}`;
}

/** Shows the API requests behind a screen, each as a curl command. */
export function ApiCalls({
  calls,
}: {
  calls: readonly (readonly [title: string, ApiRequest<unknown>])[];
}) {
  return (
    <DialogButton
      icon="code"
      name="API requests"
      quiet
      class="api-call icon-only"
      dialog={(close) => (
        <Dialog title="API requests" wide onClose={close}>
          {calls.map(([title, request]) => {
            const curl = asCurl(request);
            return (
              <section key={title} class="stack">
                <div class="row">
                  <h3>{title}</h3>
                  <code>
                    {request.method} {request.path}
                  </code>
                  <a href={docsOf(request)} target="_blank" rel="noreferrer">
                    Documentation
                    <span class="visually-hidden"> of: {title} (opens in a new tab)</span>
                  </a>
                  <Copy text={curl} what={`request: ${title}`} />
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
