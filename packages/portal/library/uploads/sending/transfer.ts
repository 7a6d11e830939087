import type { DetailedError, HttpResponse } from 'tus-js-client';
import { asProblem } from '../../../api/hooks.ts';
import { loadScript } from '../../../api/load-script.ts';
import {
  ApiProblem,
  problemOf,
  requestFor,
  send,
  sessionHeaders,
  urlOf,
} from '../../../api/request.ts';

/** The outcome of a transfer. */
type TransferOutcome =
  /** The whole file was received. */
  | { kind: 'arrived'; uploadId: string }
  /** Stopped on request; the service keeps the received bytes. */
  | { kind: 'stopped' }
  /** It can be resumed: no connection, no session, or the service is busy. */
  | { kind: 'interrupted'; problem: ApiProblem }
  | { kind: 'rejected'; problem: ApiProblem };

export interface Transfer {
  outcome: Promise<TransferOutcome>;
  /** Stops it. It can be resumed later. */
  stop(): Promise<void>;
}

export interface TransferOptions {
  file: File;
  /** `Upload-Metadata`: file name, tags and so on. */
  metadata: Record<string, string>;
  /** The upload to resume; null starts a new one. */
  uploadId: string | null;
  onStarted: (uploadId: string) => void;
  onProgress: (sent: number) => void;
}

/** Delays before retrying, in milliseconds. After the last one, the queue decides. */
const retryDelays = [500, 2_000];
/** Temporary errors. Not 507: a full disk requires an operator. */
const retryableStatuses = [409, 423, 429, 500, 502, 503, 504];

/**
 * Sends a file with tus, resuming where it stopped.
 * @throws ApiProblem if tus cannot be loaded
 */
export async function startTransfer(options: TransferOptions): Promise<Transfer> {
  const tus = await loadScript(() => import('tus-js-client'));
  let resolveOutcome: (end: TransferOutcome) => void = () => undefined;
  const ended = new Promise<TransferOutcome>((resolve) => {
    resolveOutcome = resolve;
  });
  /** The status of the latest response; 0 before the first. */
  let status = 0;
  const endpoint = new URL(urlOf(requestFor('createUpload')), location.href).href;
  const upload = new tus.Upload(options.file, {
    endpoint,
    uploadUrl: options.uploadId && `${endpoint}/${options.uploadId}`,
    metadata: options.metadata,
    retryDelays,
    // `unfinished.ts` stores the data needed to resume; the library would also store tags and metadata.
    storeFingerprintForResuming: false,
    onBeforeRequest: (request) => {
      status = 0;
      // The headers of the current session: the user may have logged in again.
      for (const [name, value] of Object.entries(sessionHeaders())) request.setHeader(name, value);
    },
    onAfterResponse: (request, response) => {
      status = response.getStatus();
      // After any failed HEAD, the library assumes that the upload no longer exists and starts a new
      // one.
      const isGone = status === 404 || status === 410;
      if (request.getMethod() === 'HEAD' && status >= 400 && !isGone) {
        throw new Error(`HEAD on the upload returned ${status}.`);
      }
    },
    onShouldRetry: () =>
      status === 0 ? navigator.onLine : retryableStatuses.includes(status) && status !== 429,
    onUploadUrlAvailable: () => options.onStarted(idOf(upload.url)),
    onProgress: options.onProgress,
    onSuccess: () => resolveOutcome({ kind: 'arrived', uploadId: idOf(upload.url) }),
    onError: (error) => {
      void outcomeOf(error, status, upload.url && idOf(upload.url)).then(resolveOutcome);
    },
  });
  upload.start();
  return {
    outcome: ended,
    stop: async () => {
      await upload.abort();
      resolveOutcome({ kind: 'stopped' });
    },
  };
}

function idOf(url: string | null): string {
  return url?.split('/').at(-1) ?? '';
}

async function outcomeOf(
  error: Error | DetailedError,
  status: number,
  uploadId: string | null,
): Promise<TransferOutcome> {
  const problem = await problemOfError(error, status, uploadId);
  const isRetryable =
    problem.status === 0 || problem.status === 401 || retryableStatuses.includes(problem.status);
  const isSessionStale = problem.code === 'csrf_token_invalid';
  return { kind: isRetryable || isSessionStale ? 'interrupted' : 'rejected', problem };
}

/**
 * Returns the problem that caused an error. A response to HEAD has no body, so the upload is
 * fetched.
 */
async function problemOfError(
  error: Error | DetailedError,
  status: number,
  uploadId: string | null,
): Promise<ApiProblem> {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if (response) return problemOfResponse(response);
  if (status === 0) return problemOf(0, '', '');
  if (uploadId) {
    try {
      const { data } = await send(requestFor('getUpload', { id: uploadId }));
      if (data.rejection) return rejectionProblem(data.rejection);
    } catch (requestError) {
      return asProblem(requestError);
    }
  }
  return problemOf(status, '', '');
}

function problemOfResponse(response: HttpResponse): ApiProblem {
  const retryAfter = response.getHeader('Retry-After') ?? null;
  return problemOf(response.getStatus(), '', response.getBody(), retryAfter);
}

/** Returns the rejection recorded on an upload or object, as a problem. */
export function rejectionProblem(rejection: Record<string, unknown>): ApiProblem {
  const { code, detail } = rejection;
  return new ApiProblem({
    type: 'about:blank',
    title: 'File rejected',
    status: 403,
    code: typeof code === 'string' ? code : 'rejected',
    detail: typeof detail === 'string' ? detail : 'The file was rejected.',
    request_id: '',
    retryable: false,
    ...Object.fromEntries(
      Object.entries(rejection).filter(([name]) => !['code', 'detail'].includes(name)),
    ),
  });
}
