import type { Body, Item } from '../../resources/resource.ts';
import type { Command, CommandContext } from '../command.ts';
import { exit, UsageError } from '../exit-codes.ts';
import { pluralise } from '../pluralise.ts';
import { readLimit, take } from './limit.ts';

type Decision = Body<'decideFindings'>;
type AddFindingsBody = Body<'addFindings'>;
type Finding = Item<'listFindings'>;

const list: Command = {
  name: 'review list',
  summary: 'List reviews that are open, oldest first.',
  usage: '',
  arity: [0, 0],
  options: {
    all: { help: 'also those that have ended' },
    limit: { value: 'N', help: 'the maximum number (default: 20)' },
  },
  examples: ['review list'],
  async run({ client, output, options, signal }) {
    const limit = readLimit(options);
    const state = options.flag('all') ? {} : { state: ['open' as const] };
    const reviews = await take(client.reviews.list({ ...state, limit }, { signal }), limit);
    output.table(reviews, ({ id, op, state, counts, job_id, expires_at }) => [
      id,
      op,
      state,
      `${counts.pending} pending`,
      job_id,
      expires_at,
    ]);
    return exit.success;
  },
};

const findings: Command = {
  name: 'review findings',
  summary: 'List the findings of a review by page.',
  usage: 'REVIEW',
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
    const page = options.number('page');
    const query = {
      limit,
      ...(decision ? { decision: [decision as 'pending'] } : {}),
      ...(page === undefined ? {} : { page }),
    };
    const items = await take(client.reviews.findings(args[0]!, query, { signal }), limit);
    output.table(items, (one) => [
      one.id,
      positionOf(one),
      one.type,
      one.score === null ? '–' : one.score.toFixed(2),
      one.decision,
      one.text ?? '',
    ]);
    return exit.success;
  },
};

/** Returns the page and, for a file without pages, the cell or line and the range in the text. */
function positionOf({ page, location, range }: Finding): string {
  if (!location || !range) return String(page ?? '–');
  const where = location.cell ?? `line ${location.line}`;
  return `${page ?? location.part}  ${where}  ${range.start}-${range.end}`;
}

/** Returns a command that decides findings. */
function decideCommand(verb: Decision['decision'], summary: string): Command {
  return {
    name: `review ${verb}`,
    summary,
    usage: 'REVIEW [FINDING…]',
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
      return exit.success;
    },
  };
}

function filterOf(options: CommandContext['options']): NonNullable<Decision['filter']> {
  const criteria = {
    type: options.list('type'),
    page: options.number('page'),
    min_score: options.number('min-score'),
    max_score: options.number('max-score'),
  };
  return Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined));
}

const add: Command = {
  name: 'review add',
  summary: 'Add every occurrence of a text in the document, or a range of text in a file.',
  usage: 'REVIEW [TEXT]',
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
    const type = (options.text('type') ?? 'PERSON') as AddFindingsBody['type'];
    const body: AddFindingsBody = range
      ? { page: options.number('page') ?? 1, range, type }
      : { text: text!, everywhere: true, type };
    const added = await client.reviews.add(id!, body, { signal });
    output.result(
      added,
      `${pluralise(added.data.length, 'occurrence')} added${pagesText(added.data)}`,
    );
    return exit.success;
  },
};

/** Returns the pages of findings, such as ", on pages 1, 3". Text that readers do not see has no page. */
function pagesText(added: readonly { page: number | null }[]): string {
  const pages = [...new Set(added.flatMap(({ page }) => page ?? []))];
  if (pages.length === 0) return '';
  return `, on ${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}`;
}

function readRange(value: string | undefined): AddFindingsBody['range'] {
  if (value === undefined) return undefined;
  const [, start, end] = /^(\d+)-(\d+)$/.exec(value) ?? [];
  if (start === undefined)
    throw new UsageError(`--range must be START-END, such as 120-131, not '${value}'.`);
  return { start: Number(start), end: Number(end) };
}

const text: Command = {
  name: 'review text',
  summary: 'Show the text of a file without pages, with where each piece starts.',
  usage: 'REVIEW',
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
    const pieces = await take(client.reviews.text(args[0]!, query, { signal }), limit);
    output.table(pieces, (one) => [String(one.page), String(one.start), one.text]);
    return exit.success;
  },
};

const submit: Command = {
  name: 'review submit',
  summary: 'Submit a review: its job continues with the decisions.',
  usage: 'REVIEW',
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
    return exit.success;
  },
};

const fail: Command = {
  name: 'review fail',
  summary: 'Reject a review as a whole: its operation fails.',
  usage: 'REVIEW REASON',
  arity: [2, 2],
  options: {},
  examples: ["review fail rev_… 'The wrong document was uploaded.'"],
  async run({ client, output, args, signal }) {
    const [id, reason] = args;
    const review = await client.reviews.reject(id!, { reason: reason! }, { signal });
    output.result(review, `${review.id}  ${review.state}`);
    return exit.success;
  },
};

export const reviewCommands = [
  list,
  findings,
  decideCommand('accept', 'Accept findings: they are removed.'),
  decideCommand('reject', 'Reject findings: they stay.'),
  decideCommand('reset', 'Make decided findings pending again.'),
  add,
  text,
  submit,
  fail,
];
