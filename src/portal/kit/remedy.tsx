import type { Violation } from '../../contracts/wire/policies.ts';
import type { ApiRequest } from '../api/request.ts';
import { ApiCalls } from './api-call.tsx';
import { ButtonLink } from './button.tsx';

type Remedy = NonNullable<Violation['remedy']>;

/** What would change a policy's refusal: in words, as the form that does it, as the API's call. */
export function RemedyLine({ remedy }: { remedy: Remedy }) {
  return (
    <div class="row">
      <span>What helps: {sayRemedy(remedy.path)}</span>
      {remedy.path.startsWith('/v1/documents/') && (
        <ButtonLink small href={jobForm(remedy)}>
          Start the job
        </ButtonLink>
      )}
      <ApiCalls calls={[['What helps', asRequest(remedy)]]} />
    </div>
  );
}

function sayRemedy(path: string): string {
  if (path.endsWith('/redact')) return 'redact it.';
  if (path.endsWith('/classify')) return 'classify it, so that its kind is known.';
  if (path.endsWith('/ocr')) return 'recognise its text, so that its pages are known.';
  if (path.endsWith('/signed-urls')) return 'make a signed URL for a shorter time.';
  if (path.startsWith('/v1/documents/')) return 'a job.';
  return `the request to ${path}.`;
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
  const known = (['GET', 'POST', 'PATCH', 'DELETE'] as const).find((one) => one === method);
  return { method: known ?? 'POST', path, ...(body ? { body } : {}) };
}
