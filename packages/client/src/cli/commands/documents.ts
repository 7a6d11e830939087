import type { Job, Operations } from '../../generated.ts';
import { downloadInto } from '../../node.ts';
import type { Call, Command, Option } from '../command.ts';
import { exit, exitCodeOf, Interrupted, UsageError } from '../exit.ts';
import { watchJob } from '../job-view.ts';
import { isObjectId, sendFile } from '../sending.ts';
import { printable } from '../terminal.ts';

type Start = Operations['createJob']['input']['body'];
/** The work of a job: its operations, or a preset. */
type Work = Pick<Start, 'operations' | 'preset_id'>;

const shared: Record<string, Option> = {
  pages: { value: 'PAGES', help: 'the pages, such as 1-3,7 (default: all)' },
  wait: { help: 'watch each job until it ends' },
  output: { value: 'DIR', help: 'wait, and download the outputs into this folder' },
};

/** A command that starts a job with one operation on each object or file. */
function starter(
  name: string,
  op: NonNullable<Start['operations']>[number]['op'],
  described: Pick<Command, 'summary' | 'options' | 'examples'> & {
    /** Reads the options of the operation. */
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
    help: 'Local files are uploaded first. Prints the job, or with --wait its result.',
    run(call) {
      const wanted = Object.entries(read(call.options)).filter(([, value]) => value !== undefined);
      // The API validates the values.
      const work = { operations: [{ op, options: Object.fromEntries(wanted) }] } as Work;
      return startAll(call, call.args, work);
    },
  };
}

/** Starts a job on each object or file, before waiting for the first. */
async function startAll(call: Call, sources: readonly string[], work: Work): Promise<number> {
  const codes: number[] = [];
  const jobs: Job[] = [];
  for (const what of sources) {
    try {
      jobs.push(await start(call, what, work));
    } catch (error) {
      if (error instanceof Interrupted || error instanceof UsageError) throw error;
      call.output.error(error, what);
      codes.push(exitCodeOf(error));
    }
  }
  for (const job of jobs) codes.push(await follow(call, job));
  return worst(codes);
}

async function start(call: Call, what: string, work: Work): Promise<Job> {
  const source = isObjectId(what) ? what : (await sendFile(call, what)).id;
  const pages = call.options.text('pages');
  const body = { source_object_id: source, ...work, ...(pages === undefined ? {} : { pages }) };
  return call.client.jobs.create(body, { signal: call.signal });
}

/** Prints a started job; --wait watches it, --output downloads its outputs. */
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
      output.note(`\nThe job ${job.id} continues. To cancel it: scriptorium jobs cancel ${job.id}`);
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

/** The exit code for the state of a job. */
export function exitCodeOfJob({ state }: Job): number {
  if (state === 'succeeded') return exit.fine;
  return state === 'partially_succeeded' ? exit.partial : exit.failed;
}

/** The exit code of several jobs: the common code, or partial success. */
function worst(codes: readonly number[]): number {
  const [first, ...rest] = codes;
  return rest.every((code) => code === first) ? (first ?? exit.fine) : exit.partial;
}

const ocr = starter('ocr', 'ocr', {
  summary: 'Recognise text and produce a searchable PDF, plain text or words.',
  options: {
    language: { value: 'CODE', many: true, help: 'an ISO 639-2 code: eng, deu, …' },
    kind: { value: 'KIND', many: true, help: 'searchable_pdf, text or words' },
    'existing-text': { value: 'HOW', help: 'skip, redo or force' },
    deskew: { help: 'straighten skewed pages' },
    pdfa: { help: 'write the searchable PDF as PDF/A-2b' },
  },
  examples: ['ocr scan.pdf --output out', 'ocr obj_… --kind text --kind words --wait'],
  read: (options) => ({
    languages: options.list('language'),
    output: options.listOf('kind', ['searchable_pdf', 'text', 'words']),
    existing_text: options.oneOf('existing-text', ['skip', 'redo', 'force']),
    deskew: options.flag('deskew') || undefined,
    pdfa: options.flag('pdfa') || undefined,
  }),
});

const redact = starter('redact', 'redact_pii', {
  summary: 'Find personal data, remove it, and verify that it is gone.',
  options: {
    profile: {
      value: 'NAME',
      help: 'personal, hipaa, pci, gdpr or all (default: personal)',
    },
    entity: { value: 'TYPE', many: true, help: 'PERSON, EMAIL_ADDRESS, …, in place of a profile' },
    'min-confidence': { value: 'N', help: 'the minimum confidence of findings, 0 to 1' },
    style: { value: 'STYLE', help: 'blackbox or label' },
    box: { value: 'EXTENT', help: 'tight, padded or to_edge (default: to_edge)' },
    review: {
      value: 'HOW',
      help: 'required or below: a person decides about findings before they are removed',
    },
    'no-text-layer': { help: 'no searchable text in the redacted PDF of a scan' },
  },
  examples: [
    'redact letter.pdf --output out',
    'redact obj_… --profile hipaa --wait',
    'redact obj_… --entity PERSON --style label --wait',
    'redact letter.pdf --review required',
  ],
  read: (options) => ({
    entities: entitiesOf(options),
    min_confidence: options.number('min-confidence'),
    style: options.oneOf('style', ['blackbox', 'label']),
    box: options.oneOf('box', ['tight', 'padded', 'to_edge']),
    review: options.oneOf('review', ['required', 'below']),
    text_layer: options.flag('no-text-layer') ? false : undefined,
  }),
});

function entitiesOf(options: Call['options']): string | string[] | undefined {
  const types = options.list('entity');
  const profile = options.oneOf('profile', ['personal', 'hipaa', 'pci', 'gdpr', 'all']);
  if (types && profile) throw new UsageError('Use --profile or --entity, not both.');
  return types ?? profile;
}

const classify = starter('classify', 'classify', {
  summary: 'Detect the type of a document.',
  options: { 'top-k': { value: 'N', help: 'how many labels to return' } },
  examples: ['classify scan.pdf --wait', 'classify obj_… --top-k 1 --wait --json'],
  read: (options) => ({ top_k: options.number('top-k') }),
});

const normalize = starter('normalize', 'normalize_for_llm', {
  summary: 'Produce text for language models: Markdown, JSON, chunks.',
  options: {
    format: { value: 'FORMAT', many: true, help: 'markdown, json or chunks' },
    'chunk-tokens': { value: 'N', help: 'the maximum number of tokens in a chunk' },
    'overlap-tokens': { value: 'N', help: 'how many tokens of the previous chunk to repeat' },
  },
  examples: ['normalize report.docx --output out', 'normalize obj_… --format chunks --wait'],
  read: (options) => ({
    format: options.listOf('format', ['markdown', 'json', 'chunks']),
    chunk_tokens: options.number('chunk-tokens'),
    overlap_tokens: options.number('overlap-tokens'),
  }),
});

const run: Command = {
  name: 'run',
  summary: 'Start a job with a preset.',
  takes: 'PRESET OBJECT_OR_FILE…',
  arity: [2, Number.POSITIVE_INFINITY],
  options: shared,
  help: 'PRESET is the name or identifier of a preset of the project, or the name of one of the service. Local files are uploaded first.',
  examples: ["run 'Searchable PDF' scan.pdf --output out", 'run Claims claim.pdf --wait'],
  async run(call) {
    const [preset = '', ...sources] = call.args;
    return startAll(call, sources, await findPreset(call, preset));
  },
};

/** Finds the preset with a name or identifier; those of the project come first. */
async function findPreset({ client, signal }: Call, wanted: string): Promise<Work> {
  const isWanted = (name: string): boolean => name.toLowerCase() === wanted.toLowerCase();
  const names: string[] = [];
  for await (const { id, name } of client.presets.list({}, { signal })) {
    if (id === wanted || isWanted(name)) return { preset_id: id };
    names.push(name);
  }
  const { presets } = await client.capabilities({ signal });
  const found = presets.find(({ name }) => isWanted(name));
  // The service validates its own presets.
  if (found) return { operations: found.operations } as Work;
  names.push(...presets.map(({ name }) => name));
  throw new UsageError(`Preset '${wanted}' not found. Presets: ${names.join(', ')}.`);
}

export const documentCommands = [ocr, redact, classify, normalize, run];
