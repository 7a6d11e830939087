import { notFound, Problem } from '@scriptorium/contracts/problems';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { PageNumber } from '@scriptorium/contracts/wire/library/page-images';
import { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { readRecognisedText } from '../../../jobs/reading/recognised-text.ts';
import { findObject, requireAvailable } from '../../../library/objects/load.ts';
import {
  chooseShownObject,
  rejectTooManyDrawings,
  requireTextPage,
} from '../../../library/objects/pages/page-image.ts';
import { openWords, wordsVariant } from '../../../library/objects/pages/words.ts';
import { awaitVariant } from '../../downloads/await-variant.ts';
import { ok } from '../../frame/reply.ts';
import { streamRoute } from '../../frame/route.ts';

export const getPageText = streamRoute({
  method: 'GET',
  path: '/v1/objects/{id}/pages/{n}/text',
  operationId: 'getPageText',
  tag: 'Objects',
  summary: 'Get the words of a page with their positions.',
  description:
    'Returns the text of a PDF page, visible or not. For pages without text, and for pictures, returns the words that the latest `ocr` job recognised, if its results have not expired and no redaction follows in the job. This request does not start OCR. Where a policy requires a redaction and serves it instead, the words are those of the redaction. If a worker has not read the page after 10 seconds, the response is 409 with `retryable: true` and `Retry-After`.',
  scopes: ['objects:read'],
  // Limited in the same way as the pictures of pages.
  rate: 'none',
  concurrency: 32,
  writes: true,
  params: { id: 'object', n: PageNumber },
  responses: { 200: PageText },
  problems: ['policy_denied', 'state_conflict', 'rate_limited'],
  load: async ({ tx, key, origin, params }) => {
    const object = await findObject(tx, key.projectId, params.id);
    if (!object) throw notFound('object', params.id);
    return object.state === 'available' ? chooseShownObject(tx, origin, object) : object;
  },
  handler: async (call) => {
    const { deps, key, params, resource: object } = call;
    const { projectId } = key;
    requireAvailable(object);
    const page = Number(params.n);
    requireTextPage(object, page);
    const { sha256 } = await awaitVariant(call, object, {
      ...wordsVariant(object.id, page),
      timeoutDetail: 'The page is being read. Retry in a moment.',
      toProblem: (error) => readingFailed(page, error),
      beforeRequest: (tx) => rejectTooManyDrawings(tx, projectId),
    });
    const fileWords = await openWords(deps.storage, projectId, sha256);
    const size = { page, width: fileWords.widthPt, height: fileWords.heightPt };
    if (fileWords.words.length > 0)
      return ok({ ...size, source: 'file' as const, words: fileWords.words });
    const recognised = await call.inProject((tx) =>
      readRecognisedText(tx, projectId, object.id, page),
    );
    if (!recognised) return ok({ ...size, source: null, words: [] });
    const words = recognised.words.map(({ text, box, line }) => ({ text, box, line }));
    return ok({ ...size, source: 'ocr' as const, words });
  },
});

function readingFailed(page: number, { code, message, retryable }: Failure): Problem {
  if (code === 'page_not_found') return notFound('page', String(page));
  return new Problem(
    'state_conflict',
    `Page ${page} cannot be read. ${message}`,
    retryable ? { retryable, headers: { 'Retry-After': '5' } } : {},
  );
}
