import type { DetailedError, HttpResponse } from 'tus-js-client';
import { asProblem } from '../../../api/hooks.ts';
import {
  ApiProblem,
  problemOf,
  requestFor,
  send,
  sessionHeaders,
  urlOf,
} from '../../../api/request.ts';

/** The outcome of a transfer. */
type TransferEnd =
  /** The whole file was received. */
  | { kind: 'arrived'; uploadId: string }
  /** Stopped on request; the service keeps the received bytes. */
  | { kind: 'stopped' }
  /** It can be resumed: no connection, no session, or the service is busy. */
  | { kind: 'interrupted'; problem: ApiProblem }
  | { kind: 'rejected'; problem: ApiProblem };

export interface Transfer {
  ended: Promise<TransferEnd>;
  /** Stops it. It can be resumed later. */
  stop(): Promise<void>;
}

export interface TransferWish {
  file: File;
  /** `Upload-Metadata`: file name, tags and so on. */
  metadata: Record<string, string>;
  /** The upload to resume; null starts a new one. */
  uploadId: string | null;
  onBegun: (uploadId: string) => void;
  onProgress: (sent: number) => void;
}

/** Delays before retrying, in milliseconds. After the last one, the queue decides. */
const retryDelays = [500, 2_000];
/** Temporary errors. Not 507: a full disk requires an operator. */
const passing = [409, 423, 429, 500, 502, 503, 504];

/** Sends a file with tus, resuming where it stopped. */
export async function startTransfer(wish: TransferWish): Promise<Transfer> {
  const tus = await import('tus-js-client');
  let end: (end: TransferEnd) => void = () => undefined;
  const ended = new Promise<TransferEnd>((resolve) => {
    end = resolve;
  });
  /** The status of the latest response; 0 before the first. */
  let status = 0;
  const endpoint = new URL(urlOf(requestFor('createUpload')), location.href).href;
  const upload = new tus.Upload(wish.file, {
    endpoint,
    uploadUrl: wish.uploadId && `${endpoint}/${wish.uploadId}`,
    metadata: wish.metadata,
    retryDelays,
    // `unfinished.ts` stores what is needed to resume; the library would also store tags and metadata.
    storeFingerprintForResuming: false,
    onBeforeRequest: (request) => {
      status = 0;
      // The headers of the current session: the user may have logged in again.
      for (const [name, value] of Object.entries(sessionHeaders())) request.setHeader(name, value);
    },
    onAfterResponse: (request, response) => {
      status = response.getStatus();
      // The library assumes after any failed HEAD that the upload is gone, and would start a new
      // one.
      const isGone = status === 404 || status === 410;
      if (request.getMethod() === 'HEAD' && status >= 400 && !isGone) {
        throw new Error(`HEAD on the upload returned ${status}.`);
      }
    },
    onShouldRetry: () =>
      status === 0 ? navigator.onLine : passing.includes(status) && status !== 429,
    onUploadUrlAvailable: () => wish.onBegun(idOf(upload.url)),
    onProgress: wish.onProgress,
    onSuccess: () => end({ kind: 'arrived', uploadId: idOf(upload.url) }),
    onError: (error) => {
      void endOf(error, status, upload.url && idOf(upload.url)).then(end);
    },
  });
  upload.start();
  return {
    ended,
    stop: async () => {
      await upload.abort();
      end({ kind: 'stopped' });
    },
  };
}

function idOf(url: string | null): string {
  return url?.split('/').at(-1) ?? '';
}

async function endOf(
  error: Error | DetailedError,
  status: number,
  uploadId: string | null,
): Promise<TransferEnd> {
  const problem = await problemIn(error, status, uploadId);
  const later = problem.status === 0 || problem.status === 401 || passing.includes(problem.status);
  const isStale = problem.code === 'csrf_token_invalid';
  return { kind: later || isStale ? 'interrupted' : 'rejected', problem };
}

/**
 * Returns the problem behind an error. A response to HEAD has no body, so the upload is fetched.
 */
async function problemIn(
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
      if (data.rejection) return rejected(data.rejection);
    } catch (asked) {
      return asProblem(asked);
    }
  }
  return problemOf(status, '', '');
}

function problemOfResponse(response: HttpResponse): ApiProblem {
  return problemOf(response.getStatus(), '', response.getBody());
}

/** Returns the rejection recorded on an upload or object, as a problem. */
export function rejected(rejection: Record<string, unknown>): ApiProblem {
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
