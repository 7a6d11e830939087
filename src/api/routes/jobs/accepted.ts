import { grants } from '@scriptorium/contracts/scopes';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { Identity } from '../../../access/authenticate.ts';
import type { Deps } from '../../deps.ts';
import { accepted } from '../../frame/reply.ts';

/** 202 with a job and its URL. */
export function acceptedJob(job: JobRecord) {
  return accepted(job, `/v1/documents/jobs/${job.id}`, { version: job.version });
}

/** How a call reads jobs: how to open sealed options, and whether personal data may be shown. */
export function readerOf({ key, deps }: { key: Identity; deps: Pick<Deps, 'seal'> }) {
  return { unseal: deps.seal.open, mayReadPii: mayReadPii(key) };
}

/** Whether a key may see personal data and have it stored unredacted. */
export function mayReadPii({ scopes }: Identity): boolean {
  return grants(scopes, 'pii:read');
}
