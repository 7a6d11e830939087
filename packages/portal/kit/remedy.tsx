import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import type { ApiRequest } from '../api/request.ts';
import { ApiCalls } from './api-calls.tsx';
import { ButtonLink } from './button.tsx';

type Remedy = NonNullable<Violation['remedy']>;

/** Shows how to comply with a policy: as text, as a link to the form, and as an API request. */
export function RemedyLine({ remedy }: { remedy: Remedy }) {
  return (
    <div class="row">
      <span>To comply: {describeRemedy(remedy.path)}</span>
      {remedy.path.startsWith('/v1/documents/') && (
        <ButtonLink small href={jobForm(remedy)}>
          Start job
        </ButtonLink>
      )}
      <ApiCalls calls={[['Comply with the policy', asRequest(remedy)]]} />
    </div>
  );
}

function describeRemedy(path: string): string {
  if (path.endsWith('/redact')) return 'redact the object.';
  if (path.endsWith('/classify')) return 'classify the object first.';
  if (path.endsWith('/ocr')) return 'run OCR on the object first.';
  if (path.endsWith('/signed-urls')) return 'create a signed URL with a shorter lifetime.';
  if (path.startsWith('/v1/documents/')) return 'run a job.';
  return `send a request to ${path}.`;
}

const operations: Record<string, string> = {
  redact: 'redact_pii',
  classify: 'classify',
  ocr: 'ocr',
};

function jobForm({ path, body }: Remedy): string {
  const op = operations[path.slice(path.lastIndexOf('/') + 1)];
  const query = new URLSearchParams({ object: String(body?.source_object_id ?? '') });
  if (op) query.set('op', op);
  return `~/portal/jobs/new?${query}`;
}

function asRequest({ method, path, body }: Remedy): ApiRequest<unknown> {
  const knownMethod = (['GET', 'POST', 'PATCH', 'DELETE'] as const).find((one) => one === method);
  return { method: knownMethod ?? 'POST', path, ...(body ? { body } : {}) };
}
