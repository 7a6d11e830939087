import type { Body, Item } from '../../resources/resource.ts';
import type { Call, Command } from '../command.ts';
import { exit, UsageError } from '../exit.ts';
import { readLimit, some } from './some.ts';

type Decision = Body<'decideFindings'>;
type Added = Body<'addFindings'>;
type Found = Item<'listFindings'>;

const list: Command = {
  name: 'review list',
  summary: 'List reviews that are open, oldest first.',
  takes: '',
  arity: [0, 0],
  options: {
    all: { help: 'also those that have ended' },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  examples: ['review list'],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    const state = options.flag('all') ? {} : { state: ['open' as const] };
    const reviews = await some(client.reviews.list({ ...state, limit }, { signal }), limit);
    output.table(reviews, ({ id, op, state, counts, job_id, expires_at }) => [
      ...[id, op, state, `${counts.pending} pending`, job_id, expires_at],
    ]);
    return exit.fine;
  },
};

const findings: Command = {
  name: 'review findings',
  summary: 'List the findings of a review by page.',
  takes: 'REVIEW',
  arity: [1, 1],
  options: {
    page: { value: 'N', help: 'only findings on this page' },
    decision: { value: 'STATE', help: 'only pending, accepted or rejected ones' },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  examples: ['review findings rev_… --decision pending --limit 200'],
  async run({ client, output, args, options, signal }) {
    const limit = readLimit(options);
    const decision = options.oneOf('decision', ['pending', 'accepted', 'rejected']);
    const query = {
      limit,
      ...(decision ? { decision: [decision as 'pending'] } : {}),
      ...(options.number('page') === undefined ? {} : { page: options.number('page')! }),
    };
    const found = await some(client.reviews.findings(args[0]!, query, { signal }), limit);
    output.table(found, (one) => [
      ...[one.id, placeOf(one), one.type, one.score === null ? '–' : one.score.toFixed(2)],
      ...[one.decision, one.text ?? ''],
    ]);
    return exit.fine;
  },
};

/** The page and, in a file without pages, the cell or line and the range in the text. */
function placeOf({ page, location, range }: Found): string {
  if (!location || !range) return String(page ?? '–');
  const where = location.cell ?? `line ${location.line}`;
  return `${page ?? location.part}  ${where}  ${range.start}-${range.end}`;
}

/** A command that decides findings. */
function decide(verb: Decision['decision'], summary: string): Command {
  return {
    name: `review ${verb}`,
    summary,
    takes: 'REVIEW [FINDING…]',
    arity: [1, 1001],
    options: {
      all: { help: 'all findings of the detector that match the other options' },
      type: { value: 'TYPE', many: true, help: 'with --all: only findings of this type' },
      page: { value: 'N', help: 'with --all: only findings on this page' },
      'min-score': { value: 'SCORE', help: 'with --all: only findings with at least this score' },
      'max-score': { value: 'SCORE', help: 'with --all: only findings with at most this score' },
      reason: { value: 'TEXT', help: 'why; stored encrypted' },
    },
    examples: [`review ${verb} rev_… fnd_…`, `review ${verb} rev_… --all --type LOCATION`],
    async run({ client, output, args, options, signal }) {
      const [id, ...ids] = args;
      if (ids.length > 0 === options.flag('all')) {
        throw new UsageError('Name findings, or use --all.');
      }
      const reason = options.text('reason');
      const body: Decision = {
        decision: verb,
        ...(options.flag('all') ? { filter: filterOf(options) } : { ids }),
        ...(reason === undefined ? {} : { reason }),
      };
      const { changed, review } = await client.reviews.decide(id!, body, { signal });
      output.result({ changed, review }, `${changed} changed, ${review.counts.pending} pending`);
      return exit.fine;
    },
  };
}

function filterOf(options: Call['options']): NonNullable<Decision['filter']> {
  const given = {
    type: options.list('type'),
    page: options.number('page'),
    min_score: options.number('min-score'),
    max_score: options.number('max-score'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const add: Command = {
  name: 'review add',
  summary: 'Add a text wherever it occurs in the document, or a range of the text of a file.',
  takes: 'REVIEW [TEXT]',
  arity: [1, 2],
  options: {
    type: { value: 'TYPE', help: 'its type (default: PERSON)' },
    range: { value: 'START-END', help: 'a range as `review text` numbers it, in place of TEXT' },
    page: { value: 'N', help: 'with --range: its page (default: 1)' },
  },
  examples: [
    "review add rev_… 'Mara Quill'",
    'review add rev_… Bluebird --type CUSTOM_PROJECT',
    'review add rev_… --range 120-131',
  ],
  async run({ client, output, args, options, signal }) {
    const [id, text] = args;
    const range = readRange(options.text('range'));
    if ((text === undefined) === (range === undefined)) {
      throw new UsageError('Name a text, or use --range.');
    }
    // The API validates the type.
    const type = (options.text('type') ?? 'PERSON') as Added['type'];
    const body: Added = range
      ? { page: options.number('page') ?? 1, range, type }
      : { text: text!, everywhere: true, type };
    const added = await client.reviews.add(id!, body, { signal });
    const pages = added.data.map(({ page }) => page).join(', ');
    output.result(added, `${added.data.length} places, on page ${pages}`);
    return exit.fine;
  },
};

function readRange(given: string | undefined): Added['range'] {
  if (given === undefined) return undefined;
  const [, start, end] = /^(\d+)-(\d+)$/.exec(given) ?? [];
  if (start === undefined) throw new UsageError('Write --range as START-END, such as 120-131.');
  return { start: Number(start), end: Number(end) };
}

const text: Command = {
  name: 'review text',
  summary: 'Show the text of a file without pages, with where each piece starts.',
  takes: 'REVIEW',
  arity: [1, 1],
  options: {
    page: { value: 'N', help: 'only this page: a sheet of a workbook, or 0 for hidden text' },
    limit: { value: 'N', help: 'the maximum number of pieces (default: 20)' },
  },
  examples: ['review text rev_… --page 1'],
  async run({ client, output, args, options, signal }) {
    const limit = readLimit(options);
    const page = options.number('page');
    const query = { limit, ...(page === undefined ? {} : { page }) };
    const pieces = await some(client.reviews.text(args[0]!, query, { signal }), limit);
    output.table(pieces, (one) => [String(one.page), String(one.start), one.text]);
    return exit.fine;
  },
};

const submit: Command = {
  name: 'review submit',
  summary: 'Submit a review: its job continues with the decisions.',
  takes: 'REVIEW',
  arity: [1, 1],
  options: {
    'accept-pending': { help: 'accept findings without a decision' },
    label: { value: 'LABEL', help: 'the right label, for a classification' },
  },
  examples: ['review submit rev_… --accept-pending'],
  async run({ client, output, args, options, signal }) {
    const { version } = await client.reviews.get(args[0]!, { signal });
    const label = options.text('label');
    const body: Body<'submitReview'> = {
      pending: options.flag('accept-pending') ? 'accept' : 'refuse',
      // The API validates the label.
      ...(label === undefined ? {} : { label: label as 'invoice' }),
    };
    const review = await client.reviews.submit(args[0]!, body, { ifMatch: version, signal });
    output.result(review, `${review.id}  ${review.state}  ${review.job_id}`);
    return exit.fine;
  },
};

const fail: Command = {
  name: 'review fail',
  summary: 'Reject a review as a whole: its operation fails.',
  takes: 'REVIEW REASON',
  arity: [2, 2],
  options: {},
  examples: ["review fail rev_… 'The wrong document was uploaded.'"],
  async run({ client, output, args, signal }) {
    const [id, reason] = args;
    const review = await client.reviews.reject(id!, { reason: reason! }, { signal });
    output.result(review, `${review.id}  ${review.state}`);
    return exit.fine;
  },
};

export const reviewCommands = [
  list,
  findings,
  decide('accept', 'Accept findings: they are removed.'),
  decide('reject', 'Reject findings: they stay.'),
  decide('reset', 'Make decided findings pending again.'),
  add,
  text,
  submit,
  fail,
];
