import { type Static, Type } from 'typebox';
import { entityNames } from '../documents/entities.ts';
import { documentLabelNames } from '../documents/labels.ts';
import { hiddenPage, textLayouts, textParts } from '../documents/shown-text.ts';
import { limits } from '../limits.ts';
import { customNamePattern, reviewableOperations } from '../operations.ts';
import { decisionVerbs, findingDecisions, findingSources, reviewStates } from '../reviews.ts';
import { ActorRecord, Id, Nullable, Time } from './common.ts';
import { commaList, idFilter, listOrText, listQuery, sortQuery, strictObject } from './shapes.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const ReviewCounts = strictObject(
  {
    pending: count('Findings of the detector without a decision.'),
    accepted: count('Findings of the detector that were accepted.'),
    rejected: count('Findings of the detector that were rejected.'),
    added: count('Findings that people added.'),
  },
  { title: 'ReviewCounts' },
);

export const ReviewRecord = strictObject(
  {
    id: Id('review'),
    project_id: Id('project'),
    job_id: Id('job'),
    operation_index: Type.Integer({ minimum: 0 }),
    op: Type.Enum([...reviewableOperations]),
    source_object_id: Id('object'),
    state: Type.Enum([...reviewStates]),
    reviewers: Type.Enum(['anyone', 'not_requester']),
    counts: ReviewCounts,
    pages: count('The number of pages that were searched.'),
    located_by: Nullable(
      Type.Enum(['boxes', 'ranges'], {
        description:
          'How findings are located: by boxes on pages or, in a file without pages, by ranges of its text. Null for labels.',
      }),
    ),
    claimed_by: Nullable(ActorRecord),
    claimed_until: Nullable(Time),
    requested_by: ActorRecord,
    decided_by: Type.Array(ActorRecord, { description: 'Everyone who decided, in order.' }),
    label: Nullable(Type.String({ description: 'The label chosen for `classify`.' })),
    reason: Nullable(
      Type.String({
        description: 'Why the review was rejected. Null without the `pii:read` scope.',
      }),
    ),
    expires_at: Time,
    created_at: Time,
    submitted_at: Nullable(Time),
    ended_at: Nullable(Time),
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Review' },
);
export type ReviewRecord = Static<typeof ReviewRecord>;

const TextLayoutName = Type.Enum([...textLayouts], {
  description:
    '`lines`: running text. `table`: a row per line, cells separated by tabs. `sheet`: the same, with the number of the row as the first cell.',
});
const TextPartName = Type.Enum([...textParts], {
  description: '`hidden`: not visible to readers, such as link targets and names of sheets.',
});

export const ReviewPageRecord = strictObject(
  {
    page: Type.Integer({
      minimum: hiddenPage,
      description:
        'In a workbook a sheet; in other files without pages, all of it is page 1. 0 for text that is not visible to readers, such as link targets.',
    }),
    width: Nullable(Type.Number({ description: 'In points, as displayed. Null for text.' })),
    height: Nullable(Type.Number()),
    text: Nullable(
      strictObject({
        layout: TextLayoutName,
        characters: count('Its length in UTF-16 units.'),
        pieces: Type.Array(
          strictObject({
            start: count('Its first character in the text of the page.'),
            lines: count('The number of its line ends.'),
          }),
          { description: 'The pieces in which `GET /v1/documents/reviews/{id}/text` returns it.' },
        ),
      }),
    ),
    counts: ReviewCounts,
  },
  { title: 'ReviewPage' },
);
export type ReviewPageRecord = Static<typeof ReviewPageRecord>;

/** A range of the text of a file without pages. */
export const ReviewTextRecord = strictObject(
  {
    page: Type.Integer({ minimum: hiddenPage }),
    piece: count('Its number on the page, from 0.'),
    layout: TextLayoutName,
    name: Nullable(Type.String({ description: 'The name of a sheet.' })),
    start: count('Its first character in the text of the page, in UTF-16 units.'),
    line: Type.Integer({
      minimum: 1,
      description: 'The line number of its first line, starting at 1.',
    }),
    lines: count('The number of its line ends.'),
    text: Type.String({
      description:
        'Whole lines, as far as these are not too long. Line ends and tabs inside cells are U+2028 and spaces.',
    }),
    parts: Type.Array(strictObject({ start: Type.Integer({ minimum: 0 }), part: TextPartName }), {
      description: 'The parts of the page that contain it, and where each starts.',
    }),
  },
  { title: 'ReviewText' },
);
export type ReviewTextRecord = Static<typeof ReviewTextRecord>;

export const ReviewTextQuery = strictObject({
  ...listQuery(),
  page: Type.Optional(Type.Integer({ minimum: hiddenPage, maximum: 999_999 })),
  piece: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999,
      description: 'The first piece of `page` to return.',
    }),
  ),
});

/** A range of the text of a page. */
const TextRange = strictObject({
  start: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
  end: Type.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'The first character after it.',
  }),
});

const Box = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 });

export const FindingRecord = strictObject(
  {
    id: Id('finding'),
    review_id: Id('review'),
    page: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Null for a label, and for text that is not on a page.',
      }),
    ),
    type: Type.String({
      description: 'The type of personal data or, for `classify`, the label.',
    }),
    score: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Null for findings that a person added.',
      }),
    ),
    source: Type.Enum([...findingSources]),
    boxes: Type.Array(Box, {
      description:
        'Where the words are: left, top, right, bottom in points of the displayed page. Empty for files without pages.',
    }),
    removal: Nullable(
      Type.Array(Box, {
        description:
          'The areas that will be painted over. They are wider than `boxes` where a box would otherwise reveal a length. Empty for a rejected finding. Null until it is computed, some seconds after a finding is added.',
      }),
    ),
    range: Nullable(
      Type.Object(TextRange.properties, {
        additionalProperties: false,
        description:
          'Where it is in the text of its page (page 0 if `page` is null), in UTF-16 units. Null on pages with boxes.',
      }),
    ),
    location: Nullable(
      strictObject(
        {
          part: TextPartName,
          line: Type.Integer({ minimum: 1, description: 'The line in the text of the page.' }),
          cell: Nullable(Type.String({ description: 'The first cell in a table, such as `B4`.' })),
        },
        { title: 'TextLocation' },
      ),
    ),
    text: Nullable(
      Type.String({
        description:
          'The value as it was read. Null without the `pii:read` scope, or if a policy denies reading the source.',
      }),
    ),
    decision: Type.Enum([...findingDecisions]),
    decided_by: Nullable(ActorRecord),
    reason: Nullable(Type.String({ description: 'Null without the `pii:read` scope.' })),
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Finding' },
);
export type FindingRecord = Static<typeof FindingRecord>;

/** The findings in a list or in a bulk decision. */
const findingFilters = {
  page: Type.Optional(
    Type.Integer({
      minimum: hiddenPage,
      maximum: 999_999,
      description: '0 for text that is not on a page.',
    }),
  ),
  min_score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Only findings with at least this score.' }),
  ),
  max_score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Only findings with at most this score.' }),
  ),
};
export const FindingQuery = strictObject({
  ...listQuery(),
  ...findingFilters,
  decision: Type.Optional(commaList(Type.Enum([...findingDecisions]))),
  type: Type.Optional(commaList(Type.String({ minLength: 1, maxLength: 60 }))),
  source: Type.Optional(commaList(Type.Enum([...findingSources]))),
});

/** The sort keys of reviews. */
const reviewSorts = ['created_at', 'expires_at', 'state'] as const;
export type ReviewSort = (typeof reviewSorts)[number];

export const ReviewQuery = strictObject({
  ...listQuery(),
  id: idFilter('review', 'reviews'),
  sort: sortQuery(reviewSorts, 'created_at'),
  state: Type.Optional(commaList(Type.Enum([...reviewStates]))),
  op: Type.Optional(commaList(Type.Enum([...reviewableOperations]))),
  claimed_by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'Only reviews that this key or person has claimed now.',
    }),
  ),
  job_id: Type.Optional(Id('job')),
});

/** The findings that a decision applies to. */
const FindingFilter = strictObject(
  {
    ...findingFilters,
    decision: Type.Optional(
      listOrText(Type.Array(Type.Enum([...findingDecisions]), { explode: false, minItems: 1 })),
    ),
    type: Type.Optional(
      listOrText(
        Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
          explode: false,
          minItems: 1,
          maxItems: 100,
        }),
      ),
    ),
  },
  {
    title: 'FindingFilter',
    description: 'All findings of the detector that match; an empty filter matches all.',
  },
);

/** A type of personal data that a person assigns. */
export const customTypePattern = `^CUSTOM_${customNamePattern.slice(1)}`;

const AssignedType = Type.Union(
  [Type.Enum(entityNames), Type.String({ pattern: customTypePattern })],
  { description: 'A type of personal data, or `CUSTOM_` and a name.' },
);
const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Kept encrypted with the finding.',
});

export const FindingDecisions = strictObject(
  {
    ids: Type.Optional(
      Type.Array(Id('finding'), {
        minItems: 1,
        maxItems: limits.review_findings_per_request,
        uniqueItems: true,
      }),
    ),
    filter: Type.Optional(FindingFilter),
    decision: Type.Enum([...decisionVerbs], {
      description: '`reset` makes a decided finding pending again.',
    }),
    type: Type.Optional(AssignedType),
    reason: Type.Optional(Reason),
  },
  {
    title: 'FindingDecisions',
    description: 'Exactly one of `ids` and `filter` selects the findings.',
  },
);
export type FindingDecisions = Static<typeof FindingDecisions>;

export const NewFinding = strictObject(
  {
    page: Type.Optional(Type.Integer({ minimum: hiddenPage, maximum: 999_999 })),
    range: Type.Optional(
      Type.Object(TextRange.properties, {
        additionalProperties: false,
        description:
          'A range of the text of the page, in UTF-16 units, for files without pages. It is extended to whole characters with their marks.',
      }),
    ),
    boxes: Type.Optional(
      Type.Array(Box, {
        minItems: 1,
        maxItems: limits.review_findings_per_request,
        description:
          'Areas of the page: left, top, right, bottom in points of the displayed page. They are one finding.',
      }),
    ),
    words: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 999_999 }), {
        minItems: 1,
        maxItems: limits.review_findings_per_request,
        description:
          'Words of the page, by their position in `words` of `GET /v1/documents/jobs/{id}/pages?include=words`. They are one finding.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A text to remove everywhere. Requires `everywhere` and the `pii:read` scope.',
      }),
    ),
    everywhere: Type.Optional(
      Type.Literal(true, {
        description:
          'Find every occurrence of `text`, as the verification of the output does: case, accents and characters between letters are ignored. A finding is added for each occurrence; findings that cover one are accepted.',
      }),
    ),
    type: AssignedType,
    reason: Type.Optional(Reason),
  },
  {
    title: 'NewFinding',
    description:
      'Exactly one of `boxes`, `words` and `range`, each with `page`, and `text` with `everywhere`.',
  },
);
export type NewFinding = Static<typeof NewFinding>;

/** The outcome of a change of findings. */
export const FindingsChanged = strictObject(
  {
    changed: Type.Integer({ minimum: 0, description: 'How many findings changed.' }),
    review: ReviewRecord,
  },
  { title: 'FindingsChanged' },
);

export const FindingsAdded = strictObject(
  {
    data: Type.Array(FindingRecord, {
      description:
        'The findings that were added, and those that cover an occurrence and were accepted.',
    }),
    review: ReviewRecord,
  },
  { title: 'FindingsAdded' },
);

export const ReviewSubmission = strictObject(
  {
    pending: Type.Enum(['refuse', 'accept'], {
      default: 'refuse',
      description:
        'The treatment of findings without a decision. `refuse`: return 409 `findings_pending`. `accept`: accept them.',
    }),
    label: Type.Optional(
      Type.Enum(documentLabelNames, { description: 'Required for `classify`: the correct label.' }),
    ),
  },
  { title: 'ReviewSubmission' },
);
export type ReviewSubmission = Static<typeof ReviewSubmission>;

export const ReviewRejection = strictObject(
  { reason: Type.String({ minLength: 1, maxLength: 500, description: 'Kept encrypted.' }) },
  { title: 'ReviewRejection' },
);

const rate = (description: string) =>
  Nullable(Type.Number({ minimum: 0, maximum: 1, description }));

/** Statistics of the decisions on findings of a type. */
const StatsOfType = strictObject(
  {
    op: Type.Enum([...reviewableOperations]),
    type: Type.String(),
    findings: count('Findings of the detector that people decided.'),
    accepted: count('Of these, accepted.'),
    rejected: count('Of these, rejected.'),
    added: count('Findings that people added with this type.'),
    precision: rate('`accepted` of `findings`. Null without findings.'),
    recall: rate(
      '`accepted` of `accepted` and `added`: the share of wanted findings that the detector found. Null without either.',
    ),
    tenths: Type.Array(
      strictObject({
        min_score: Type.Number({ minimum: 0, maximum: 1 }),
        findings: count('Findings whose score is in the tenth that starts here.'),
        accepted: Type.Integer({ minimum: 0 }),
        rejected: Type.Integer({ minimum: 0 }),
        precision: rate('Null without findings.'),
      }),
      { description: 'By tenth of the score, from 0 to 0.9. Empty tenths are left out.' },
    ),
    thresholds: Type.Array(
      strictObject({
        min_score: Type.Number({ minimum: 0, maximum: 1 }),
        wrong: count('Findings at or above this score that people rejected.'),
        missed: count('Accepted findings below this score, and added ones.'),
        error_rate: rate('`wrong` of all findings at or above it. Null without any.'),
      }),
      {
        description:
          'The outcome without a review if only findings with at least this score were removed.',
      },
    ),
    suggested_min_score: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'The lowest threshold with at most 5% wrong findings, for `min_confidence` or `review_below`. Null with fewer than 20 decided findings, or if every threshold has more.',
      }),
    ),
  },
  { title: 'ReviewStatsOfType' },
);

export const ReviewStats = strictObject(
  {
    reviews: count('Submitted reviews in the period.'),
    types: Type.Array(StatsOfType),
  },
  { title: 'ReviewStats' },
);
export type ReviewStats = Static<typeof ReviewStats>;

export const ReviewStatsQuery = strictObject({
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Only reviews submitted at this time or later.',
    }),
  ),
  to: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only reviews submitted before this time.' }),
  ),
  op: Type.Optional(commaList(Type.Enum([...reviewableOperations]))),
});
