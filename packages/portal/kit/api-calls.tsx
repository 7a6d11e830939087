import { type ApiRequest, asCurl } from '../api/request.ts';
import { Dialog, DialogButton } from './dialog.tsx';
import { CopyButton } from './values.tsx';

/** Returns the URL of the documentation of a request. */
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
                  <CopyButton text={curl} subject={`request: ${title}`} />
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
