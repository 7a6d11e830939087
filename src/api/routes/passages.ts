import { validationFailed } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import { type SearchLanguage, searchLanguageNames } from '@scriptorium/contracts/search-languages';
import { PassageResults, PassageSearch } from '@scriptorium/contracts/wire/library/passages';
import { EmbeddingsRecord } from '@scriptorium/contracts/wire/projects';
import type { Tx } from '../../db/transaction.ts';
import { chunkId } from '../../jobs/packs/packing/contents.ts';
import { locatePassages } from '../../jobs/reading/passage-boxes.ts';
import { type QueryVector, rankNearest } from '../../library/embeddings/nearest.ts';
import { presentEmbeddings, readProgress } from '../../library/embeddings/progress.ts';
import { embedQuestion, onlyWords } from '../../library/embeddings/question.ts';
import { withPointers } from '../../library/filter-faults.ts';
import { type ObjectSearch, prepareSearch } from '../../library/objects/conditions.ts';
import { fuseRankings } from '../../library/passages/fuse.ts';
import { findPassages, type RankedPassage, rankPassages } from '../../library/passages/queries.ts';
import { presentPassage } from '../../library/passages/results.ts';
import { type PassageQuery, readPassageQuery } from '../../library/passages/terms.ts';
import { ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { objectFiltersOf } from '../requests/object-filters.ts';

/** The number of passages of each ranking that a hybrid search merges. */
const rankingLength = 50;
/** The maximum number of languages that are tried if the request names none. */
const maxLanguages = 5;

const find = route({
  method: 'POST',
  path: '/v1/search/passages',
  operationId: 'searchPassages',
  tag: 'Search',
  summary: 'Find the passages of documents that answer a question, best match first.',
  description:
    'Searches the text that files contain, that jobs have recognised, and the chunks of `normalize_for_llm`, which replace the text of their pages. Policies apply as in `GET /v1/search`: text that a policy does not let this caller read now neither matches nor appears; where a policy requires redaction, the redacted text is searched and shown. At most 1,100 passages are ranked: up to 800 with the rarest words of `query`, and 300 with the next rarest. If more than 800 have the rarest word, 300 with all words, 300 with the two rarest, and 300 with the rarest. Of a long question, the 32 rarest words count. Of a page, only the first 100,000 characters are searched. A query without words, or with stop words only, finds nothing. A `bbox` requires the `images:read` scope.',
  scopes: ['objects:read'],
  work: 'search',
  rate: 'read',
  idempotent: false,
  body: PassageSearch,
  responses: { 200: PassageResults },
  prepareIf: ({ embedder }) => embedder !== null,
  prepare: ({ deps, key: { projectId }, body: { query: q, mode }, inProject, signal }) =>
    embedQuestion(deps, inProject, { projectId, q, mode }, signal),
  handler: async ({ tx, key, origin, deps, body, prepared }) => {
    const {
      query: q,
      filter = {},
      languages = defaultLanguages(deps.settings.ocrLanguages),
      limit,
    } = body;
    const filters = {
      ...objectFiltersOf(key, filter, (some) => validationFailed(withPointers('/filter', some))),
      id: filter.id,
      kind: filter.kind,
    };
    const wanted = await readPassageQuery(tx, q, languages);
    const { wanted: vector, warnings } = prepared ?? onlyWords(body.mode);
    const mode = vector ? 'hybrid' : 'lexical';
    if (!wanted) return ok({ data: [], mode, warnings });
    const caller = { ...origin, readsImages: grants(key.scopes, 'images:read') };
    const search = await prepareSearch(tx, caller, { ...filters, q });
    const ranked = vector
      ? await rankHybrid(tx, search, wanted, vector, limit)
      : await rankPassages(tx, search, wanted, limit);
    const passages = await findPassages(tx, key.projectId, ranked);
    const boxes = await locatePassages(tx, deps.storage, key.projectId, passages);
    const data = passages.map((passage, at) => {
      const { chunk, citationKey } = passage;
      const citationId =
        chunk === null || citationKey === null ? null : chunkId(citationKey, chunk);
      return presentPassage(passage, wanted, { boxes: boxes[at]!, citationId });
    });
    return ok({ data, mode, warnings });
  },
});

async function rankHybrid(
  tx: Tx,
  search: ObjectSearch,
  wanted: PassageQuery,
  vector: QueryVector,
  limit: number,
): Promise<RankedPassage[]> {
  const byWords = await rankPassages(tx, search, wanted, rankingLength);
  const byMeaning = await rankNearest(tx, search, wanted, vector, rankingLength);
  return fuseRankings(byWords, byMeaning, limit);
}

/** The installed OCR languages with a dictionary; English if they are unknown. */
function defaultLanguages(ocrLanguages: readonly string[] | null): SearchLanguage[] {
  const installed = searchLanguageNames.filter(
    (name) => ocrLanguages?.includes(name) ?? name === 'eng',
  );
  return installed.slice(0, maxLanguages);
}

const embeddings = route({
  method: 'GET',
  path: '/v1/search/embeddings',
  operationId: 'getEmbeddings',
  tag: 'Search',
  summary: 'Get the progress of the vectors for hybrid searches.',
  description:
    'Vectors are computed after the text of a document is read, and within an hour after the operator has set up or changed the embedding endpoint. `GET /v1/usage` has the requests and tokens of each day.',
  scopes: ['objects:read'],
  work: 'search',
  responses: { 200: EmbeddingsRecord },
  handler: async ({ tx, key: { projectId }, deps: { embedder } }) =>
    ok(presentEmbeddings(embedder, await readProgress(tx, projectId))),
});

export const passageRoutes = [find, embeddings];
