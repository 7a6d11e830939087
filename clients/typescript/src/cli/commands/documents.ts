import type { Job, Operations } from '../../generated.ts';
import { downloadInto } from '../../node.ts';
import type { Call, Command, Option } from '../command.ts';
import { exit, exitCodeOf, Interrupted, UsageError } from '../exit.ts';
import { watchJob } from '../job-view.ts';
import { isObjectId, sendFile } from '../sending.ts';
import { printable } from '../terminal.ts';

type Start = Operations['createJob']['input']['body'];

const shared: Record<string, Option> = {
  pages: { value: 'PAGES', help: 'which, as in 1-3,7; all unless said' },
  wait: { help: 'watch each job until it ends' },
  output: { value: 'DIR', help: 'wait, and download what came out into this folder' },
};

/** A command that starts a job with one operation on each object or file. */
function starter(
  name: string,
  op: Start['operations'][number]['op'],
  described: Pick<Command, 'summary' | 'options' | 'examples'> & {
    /** The operation's options, as they were typed. */
    read: (options: Call['options']) => Record<string, unknown>;
  },
): Command {
  const { read, options, ...texts } = described;
  return {
    name,
    ...texts,
    takes: 'OBJECT_OR_FILE…',
    arity: [1, Number.POSITIVE_INFINITY],
    options: { ...options, ...shared },
    help: 'A path is uploaded first. Prints the job; with --wait what came of it.',
    async run(call) {
      const { args, output } = call;
      const wanted = Object.entries(read(call.options)).filter(([, value]) => value !== undefined);
      const codes: number[] = [];
      const jobs: Job[] = [];
      // All of them are started before the first is waited for.
      for (const what of args) {
        try {
          jobs.push(await start(call, what, op, Object.fromEntries(wanted)));
        } catch (error) {
          if (error instanceof Interrupted || error instanceof UsageError) throw error;
          output.error(error, what);
          codes.push(exitCodeOf(error));
        }
      }
      for (const job of jobs) codes.push(await follow(call, job));
      return worst(codes);
    },
  };
}

async function start(
  call: Call,
  what: string,
  op: Start['operations'][number]['op'],
  options: Record<string, unknown>,
): Promise<Job> {
  const source = isObjectId(what) ? what : (await sendFile(call, what)).id;
  const pages = call.options.text('pages');
  const body = {
    source_object_id: source,
    operations: [{ op, options }],
    ...(pages === undefined ? {} : { pages }),
  };
  // The API judges what was typed, and says what it allows.
  return call.client.jobs.create(body as Start, { signal: call.signal });
}

/** Prints a job that was started; with --wait it is watched, with --output its outputs are fetched. */
export async function follow(call: Call, job: Job): Promise<number> {
  const { output, options } = call;
  const folder = options.text('output');
  if (!options.flag('wait') && folder === undefined) {
    output.result(job, `${job.id}  ${job.state}  ${job.operations.map(({ op }) => op).join(' ')}`);
    return exit.fine;
  }
  try {
    const ended = await watchJob(call, job.id, output.live());
    if (!output.json) process.stdout.write(`${ended.id}  ${ended.state}\n`);
    if (folder !== undefined) await fetchOutputs(call, ended, folder);
    return exitCodeOfJob(ended);
  } catch (error) {
    if (error instanceof Interrupted) {
      output.note(`\n${job.id} goes on without you. Cancel it: scriptorium jobs cancel ${job.id}`);
    }
    throw error;
  }
}

async function fetchOutputs(call: Call, job: Job, folder: string): Promise<void> {
  const { client, output, signal } = call;
  for (const { object_id: id, kind } of job.outputs) {
    const object = await client.objects.get(id, { signal });
    const path = await downloadInto(client, object, folder, { signal });
    output.result({ object_id: id, kind, path }, printable(path));
  }
}

/** 0, 1 or 5, by how a job ended. */
export function exitCodeOfJob({ state }: Job): number {
  if (state === 'succeeded') return exit.fine;
  return state === 'partially_succeeded' ? exit.partial : exit.failed;
}

/** Of several: fine if all are, the one code if all have it, else partly. */
function worst(codes: readonly number[]): number {
  const [first, ...rest] = codes;
  return rest.every((code) => code === first) ? (first ?? exit.fine) : exit.partial;
}

const ocr = starter('ocr', 'ocr', {
  summary: 'Recognise text: a searchable PDF, plain text, words with their places.',
  options: {
    language: { value: 'CODE', many: true, help: 'ISO 639-2: eng, deu, …' },
    kind: { value: 'KIND', many: true, help: 'searchable_pdf, text or words' },
    'existing-text': { value: 'HOW', help: 'skip, redo or force' },
    deskew: { help: 'straighten leaning pages' },
  },
  examples: ['ocr scan.pdf --output out', 'ocr obj_… --kind text --kind words --wait'],
  read: (options) => ({
    languages: options.list('language'),
    output: options.list('kind'),
    existing_text: options.text('existing-text'),
    deskew: options.flag('deskew') || undefined,
  }),
});

const redact = starter('redact', 'redact_pii', {
  summary: 'Find personal data, remove it, and prove that it is gone.',
  options: {
    entity: { value: 'TYPE', many: true, help: 'PERSON, EMAIL_ADDRESS, …; all unless said' },
    'min-confidence': { value: 'N', help: '0 to 1: what is less sure stays' },
    style: { value: 'STYLE', help: 'blackbox or label' },
  },
  examples: ['redact letter.pdf --output out', 'redact obj_… --entity PERSON --style label --wait'],
  read: (options) => ({
    entities: options.list('entity'),
    min_confidence: options.number('min-confidence'),
    style: options.text('style'),
  }),
});

const classify = starter('classify', 'classify', {
  summary: 'Tell what kind of document it is.',
  options: { 'top-k': { value: 'N', help: 'how many labels' } },
  examples: ['classify scan.pdf --wait', 'classify obj_… --top-k 1 --wait --json'],
  read: (options) => ({ top_k: options.number('top-k') }),
});

const normalize = starter('normalize', 'normalize_for_llm', {
  summary: 'Write it down for a language model: Markdown, JSON, chunks.',
  options: {
    format: { value: 'FORMAT', many: true, help: 'markdown, json or chunks' },
    'chunk-tokens': { value: 'N', help: 'the most tokens of a chunk' },
    'overlap-tokens': { value: 'N', help: 'how many of the one before it repeats' },
  },
  examples: ['normalize report.docx --output out', 'normalize obj_… --format chunks --wait'],
  read: (options) => ({
    format: options.list('format'),
    chunk_tokens: options.number('chunk-tokens'),
    overlap_tokens: options.number('overlap-tokens'),
  }),
});

export const documentCommands = [ocr, redact, classify, normalize];
