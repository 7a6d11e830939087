import type { DetailedError, HttpResponse } from 'tus-js-client';
import { asProblem } from '../../api/hooks.ts';
import { ApiProblem, problemOf, send, sessionHeaders, urlOf } from '../../api/request.ts';
import { getUpload } from './requests.ts';

/** How the sending of a file ended. */
export type TransferEnd =
  /** All of it is there. */
  | { kind: 'arrived'; uploadId: string }
  /** It was told to stop; what is there stays. */
  | { kind: 'stopped' }
  /** It can go on later: no connection, no session, too busy. */
  | { kind: 'interrupted'; problem: ApiProblem }
  | { kind: 'refused'; problem: ApiProblem };

export interface Transfer {
  ended: Promise<TransferEnd>;
  /** Ends it where it is. */
  stop(): Promise<void>;
  /** Ends it, and has the service drop what arrived. @throws what the service or the line says */
  giveUp(): Promise<void>;
}

export interface TransferWish {
  file: File;
  /** `Upload-Metadata`: what the file is called, its tags and so on. */
  metadata: Record<string, string>;
  /** Goes on with this one. */
  uploadId: string | null;
  onBegun: (uploadId: string) => void;
  onProgress: (sent: number) => void;
}

/** Short breaks of the line are waited out; after that the queue decides. */
const retryDelays = [500, 2_000];
/** What passes by itself. A full disk does not, as long as nobody does something about it. */
const passing = [409, 423, 429, 500, 502, 503, 504];

/** Sends a file by tus, from where it was left off. */
export async function startTransfer(wish: TransferWish): Promise<Transfer> {
  const tus = await import('tus-js-client');
  let end: (end: TransferEnd) => void = () => undefined;
  const ended = new Promise<TransferEnd>((resolve) => {
    end = resolve;
  });
  /** Of the newest answer, 0 when there was none. */
  let status = 0;
  const endpoint = new URL(urlOf({ path: '/v1/uploads' }), location.href).href;
  const upload = new tus.Upload(wish.file, {
    endpoint,
    uploadUrl: wish.uploadId && `${endpoint}/${wish.uploadId}`,
    metadata: wish.metadata,
    retryDelays,
    // What is kept to go on with is kept by ourselves: theirs would keep tags and metadata, too.
    storeFingerprintForResuming: false,
    onBeforeRequest: (request) => {
      status = 0;
      // Of the session there is now: it may have been begun anew since.
      for (const [name, value] of Object.entries(sessionHeaders())) request.setHeader(name, value);
    },
    onAfterResponse: (request, response) => {
      status = response.getStatus();
      // The library would take any refusal of HEAD for an upload that is gone, and begin a new one.
      const isGone = status === 404 || status === 410;
      if (request.getMethod() === 'HEAD' && status >= 400 && !isGone) {
        throw new Error(`The upload cannot be looked at: ${status}.`);
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
    giveUp: async () => {
      end({ kind: 'stopped' });
      await upload.abort(true);
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
  const isOld = problem.code === 'csrf_token_invalid';
  return { kind: later || isOld ? 'interrupted' : 'refused', problem };
}

/** What was refused and why; an answer to HEAD has no body, so the upload itself is asked. */
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
      const { data } = await send(getUpload(uploadId));
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

/** What was found when the bytes were looked at, as the refusal that it is. */
export function rejected(rejection: Record<string, unknown>): ApiProblem {
  const { code, detail } = rejection;
  return new ApiProblem({
    type: 'about:blank',
    title: 'The file was refused',
    status: 403,
    code: typeof code === 'string' ? code : 'rejected',
    detail: typeof detail === 'string' ? detail : 'The file was refused.',
    request_id: '',
    retryable: false,
    ...Object.fromEntries(
      Object.entries(rejection).filter(([name]) => !['code', 'detail'].includes(name)),
    ),
  });
}
