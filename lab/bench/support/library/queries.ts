import type { SeededLibrary } from './seed.ts';

/** One search of the mix, as an API request and as handwritten SQL. */
export interface MixedQuery {
  name: string;
  parameters: Record<string, string | string[]>;
  /**
   * The condition on a row `x` of the index, with and without the facets that have alternatives.
   */
  where: string;
  facetConditions?: { tag?: string; mime?: string; orientation?: string };
  /** The tsquery for ranking, if the search is sorted by relevance. */
  rank?: string;
  order?: string;
}

const notTrashed = 'NOT x.trashed';

/**
 * The published mix: words from frequent to rare, phrases, prefixes, alternatives, exclusions,
 * tags, types, sizes, times, a collection, and combinations of these, as users send them.
 */
export function queryMix(library: SeededLibrary): MixedQuery[] {
  const { words, tags } = library;
  const w = (at: number): string => words[at]!;
  const t = (at: number): string => tags[at]!;
  const text = (tsquery: string): string => `x.document @@ to_tsquery('library', '${tsquery}')`;
  const hasTag = (...any: string[]): string => `x.tags && '{${any.join()}}'`;
  const all = (...conditions: string[]): string => [notTrashed, ...conditions].join(' AND ');
  const wordQuery = (
    name: string,
    q: string,
    tsquery: string,
    overrides: Partial<MixedQuery> & { and?: string[] } = {},
  ): MixedQuery => ({
    name,
    parameters: { q, ...overrides.parameters },
    where: all(text(tsquery), ...(overrides.and ?? [])),
    rank: tsquery,
  });
  const filterQuery = (
    name: string,
    parameters: MixedQuery['parameters'],
    conditions: string[],
    overrides: Partial<MixedQuery> = {},
  ): MixedQuery => ({ name, parameters, where: all(...conditions), ...overrides });
  return [
    filterQuery('everything', {}, []),
    wordQuery('a word, in 3 of 4 images', `"${w(0)}"`, w(0)),
    wordQuery('a word, in 1 of 4', `"${w(5)}"`, w(5)),
    wordQuery('a word, in 4 %', `"${w(50)}"`, w(50)),
    wordQuery('a word, in 1 %', `"${w(200)}"`, w(200)),
    wordQuery('a word, in 0.2 %', `"${w(1_000)}"`, w(1_000)),
    wordQuery('a rare word', `"${w(3_900)}"`, w(3_900)),
    wordQuery('two words', `${w(7)} "${w(40)}"`, `${w(7)} & ${w(40)}`),
    wordQuery('three words', `${w(3)} ${w(12)} "${w(30)}"`, `${w(3)} & ${w(12)} & ${w(30)}`),
    wordQuery('a phrase', `"${w(6)} ${w(9)}"`, `${w(6)} <-> ${w(9)}`),
    wordQuery('a phrase of frequent words', `"${w(0)} ${w(1)}"`, `${w(0)} <-> ${w(1)}`),
    wordQuery('while typing', w(60).slice(0, 4), `${w(60).slice(0, 4)}:*`),
    wordQuery('two letters', w(60).slice(0, 2), `${w(60).slice(0, 2)}:*`),
    wordQuery('one word or another', `"${w(70)}" OR "${w(90)}"`, `${w(70)} | ${w(90)}`),
    wordQuery('one word and not another', `"${w(35)}" -${w(2)}`, `${w(35)} & !${w(2)}`),
    wordQuery('part of a filename', '1050', '1050:*'),
    wordQuery('a word and a tag', `"${w(15)}"`, w(15), {
      parameters: { tag: t(8) },
      and: [hasTag(t(8))],
    }),
    filterQuery('the most frequent tag', { tag: t(0) }, [hasTag(t(0))]),
    filterQuery('a tag, in 3 %', { tag: t(20) }, [hasTag(t(20))]),
    filterQuery('a tag, in 0.3 %', { tag: t(200) }, [hasTag(t(200))]),
    filterQuery('two tags', { tag: [t(4), t(9)] }, [hasTag(t(4)), hasTag(t(9))]),
    filterQuery('one tag or another', { tag: `${t(30)},${t(31)}` }, [hasTag(t(30), t(31))], {
      facetConditions: { tag: notTrashed },
    }),
    filterQuery('a tag and not another', { tag: [t(12), `-${t(0)}`] }, [
      hasTag(t(12)),
      `NOT ${hasTag(t(0))}`,
    ]),
    filterQuery('without tags', { untagged: 'true' }, [`x.tags = '{}'`]),
    filterQuery('a type', { mime: 'image/tiff' }, [`x.mime = 'image/tiff'`], {
      facetConditions: { mime: notTrashed },
    }),
    filterQuery('an orientation', { orientation: 'square' }, [`x.orientation = 'square'`], {
      facetConditions: { orientation: notTrashed },
    }),
    filterQuery(
      'a type, an orientation and tags',
      { mime: 'image/png', orientation: 'portrait', tag: `${t(2)},${t(3)}` },
      [`x.mime = 'image/png'`, `x.orientation = 'portrait'`, hasTag(t(2), t(3))],
      {
        facetConditions: {
          tag: all(`x.mime = 'image/png'`, `x.orientation = 'portrait'`),
          mime: all(`x.orientation = 'portrait'`, hasTag(t(2), t(3))),
          orientation: all(`x.mime = 'image/png'`, hasTag(t(2), t(3))),
        },
      },
    ),
    filterQuery('large ones', { min_width: '1400', min_height: '1400' }, [
      'x.width >= 1400',
      'x.height >= 1400',
    ]),
    filterQuery('all except small ones', { min_width: '400' }, ['x.width >= 400']),
    filterQuery(
      'of one month',
      { created_after: '2025-03-01T00:00:00Z', created_before: '2025-04-01T00:00:00Z' },
      [`x.created_at > '2025-03-01T00:00:00Z'`, `x.created_at < '2025-04-01T00:00:00Z'`],
    ),
    filterQuery(
      'captured in a year, the latest first',
      {
        captured_after: '2022-01-01T00:00:00Z',
        captured_before: '2023-01-01T00:00:00Z',
        sort: '-captured_at',
      },
      [`x.captured_at > '2022-01-01T00:00:00Z'`, `x.captured_at < '2023-01-01T00:00:00Z'`],
      { order: 'x.captured_at DESC' },
    ),
    filterQuery('in the trash', { state: 'trashed' }, [], { where: 'x.trashed' }),
    filterQuery('a tag, by name', { tag: t(25), sort: 'filename' }, [hasTag(t(25))], {
      order: 'x.filename',
    }),
    filterQuery('a collection', { collection_id: library.collectionId }, [
      `EXISTS (SELECT FROM collection_member m WHERE m.project_id = x.project_id
        AND m.collection_id = '${library.collectionId}' AND m.resource_type = 'image'
        AND m.resource_id = x.image_id AND NOT m.hidden)`,
    ]),
  ];
}

/** A page of 50 with everything that the API returns, in one statement. */
export function pageSql(projectId: string, query: MixedQuery): string {
  const { where, rank, order } = query;
  const ids = rank
    ? `SELECT image_id, ts_rank(document, to_tsquery('library', '${rank}')) AS key FROM (
         SELECT x.image_id, x.document FROM image_index x WHERE x.project_id = '${projectId}'
           AND ${where} ORDER BY x.created_at DESC LIMIT 10000) newest
       ORDER BY key DESC, image_id DESC LIMIT 51`
    : `SELECT x.image_id, row_number() OVER () AS key FROM (SELECT x.* FROM image_index x
         WHERE x.project_id = '${projectId}' AND ${where}
         ORDER BY ${order ?? 'x.created_at DESC'} LIMIT 51) x`;
  return `SELECT i.*, o.state, o.filename, o.mime, o.bytes, o.sha256, o.tags, o.metadata,
      (SELECT json_agg(r) FROM rendition r
        WHERE r.project_id = i.project_id AND r.image_id = i.id) AS renditions
    FROM (${ids}) found
    JOIN image i ON i.project_id = '${projectId}' AND i.id = found.image_id
    JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id
    ORDER BY found.key ${rank ? 'DESC' : ''}`;
}

/** The exact total and the three facets, in one statement. */
export function countsSql(projectId: string, { where, facetConditions: free }: MixedQuery): string {
  const rows = (condition: string): string =>
    `image_index x WHERE x.project_id = '${projectId}' AND ${condition}`;
  const facet = (column: 'mime' | 'orientation'): string =>
    `(SELECT '${column}', x.${column}, count(*) FROM ${rows(free?.[column] ?? where)}
       GROUP BY 2 ORDER BY 3 DESC)`;
  return `SELECT 'total', NULL, count(*) FROM ${rows(where)}
    UNION ALL ${facet('mime')} UNION ALL ${facet('orientation')}
    UNION ALL (SELECT 'tag', tag, count(*) FROM (
      SELECT unnest(x.tags) AS tag FROM ${rows(free?.tag ?? where)}) tags
      GROUP BY tag ORDER BY 3 DESC LIMIT 100)`;
}
