import type { Job, Operations } from '../../generated.ts';
import { downloadInto } from '../../node.ts';
import type { Command, CommandContext, Option } from '../command.ts';
import { exit, exitCodeOf, Interrupted, UsageError } from '../exit-codes.ts';
import { watchJob } from '../job-view.ts';
import { isObjectId, sendFile } from '../send-file.ts';
import { printable } from '../terminal.ts';

type CreateJobBody = Operations['createJob']['input']['body'];
/** The work of a job: its operations, or a preset. */
type JobWork = Pick<CreateJobBody, 'operations' | 'preset_id'>;

const jobOptions: Record<string, Option> = {
  pages: { value: 'PAGES', help: 'the pages, such as 1-3,7 (default: all)' },
  wait: { help: 'watch each job until it ends' },
  output: { value: 'DIR', help: 'wait, and download the outputs into this folder' },
};

/** Returns a command that starts a job with one operation on each object or file. */
function operationCommand(
  name: string,
  op: NonNullable<CreateJobBody['operations']>[number]['op'],
  definition: Pick<Command, 'summary' | 'options' | 'examples'> & {
    /** Reads the options of the operation. */
    read: (options: CommandContext['options']) => Record<string, unknown>;
  },
): Command {
  const { read, options, ...texts } = definition;
  return {
    name,
    ...texts,
    usage: 'OBJECT_OR_FILE…',
    arity: [1, Number.POSITIVE_INFINITY],
    options: { ...options, ...jobOptions },
    help: 'Local files are uploaded first. Prints the job, or with --wait its result.',
    run(call) {
      const operationOptions = Object.entries(read(call.options)).filter(
        ([, value]) => value !== undefined,
      );
      // The API validates the values.
      const work = {
        operations: [{ op, options: Object.fromEntries(operationOptions) }],
      } as JobWork;
      return startJobs(call, call.args, work);
    },
  };
}

/** Starts a job on each object or file before it waits for any of them. */
async function startJobs(
  call: CommandContext,
  sources: readonly string[],
  work: JobWork,
): Promise<number> {
  const codes: number[] = [];
  const jobs: Job[] = [];
  for (const objectOrFile of sources) {
    try {
      jobs.push(await startJob(call, objectOrFile, work));
    } catch (error) {
      if (error instanceof Interrupted || error instanceof UsageError) throw error;
      call.output.error(error, objectOrFile);
      codes.push(exitCodeOf(error));
    }
  }
  for (const job of jobs) codes.push(await reportJob(call, job));
  return combinedExitCode(codes);
}

async function startJob(call: CommandContext, objectOrFile: string, work: JobWork): Promise<Job> {
  const source = isObjectId(objectOrFile) ? objectOrFile : (await sendFile(call, objectOrFile)).id;
  const pages = call.options.text('pages');
  const body = { source_object_id: source, ...work, ...(pages === undefined ? {} : { pages }) };
  return call.client.jobs.create(body, { signal: call.signal });
}

/** Prints a started job; --wait watches it, --output downloads its outputs. */
export async function reportJob(call: CommandContext, job: Job): Promise<number> {
  const { output, options } = call;
  const folder = options.text('output');
  if (!options.flag('wait') && folder === undefined) {
    output.result(job, `${job.id}  ${job.state}  ${job.operations.map(({ op }) => op).join(' ')}`);
    return exit.success;
  }
  try {
    const finalJob = await watchJob(call, job.id, output.progressLine());
    if (!output.json) process.stdout.write(`${finalJob.id}  ${finalJob.state}\n`);
    if (folder !== undefined) await downloadOutputs(call, finalJob, folder);
    return exitCodeOfJob(finalJob);
  } catch (error) {
    if (error instanceof Interrupted) {
      output.note(`\nThe job ${job.id} continues. To cancel it: scriptorium jobs cancel ${job.id}`);
    }
    throw error;
  }
}

async function downloadOutputs(call: CommandContext, job: Job, folder: string): Promise<void> {
  const { client, output, signal } = call;
  for (const { object_id: id, kind } of job.outputs) {
    const object = await client.objects.get(id, { signal });
    const path = await downloadInto(client, object, folder, { signal });
    output.result({ object_id: id, kind, path }, printable(path));
  }
}

/** The exit code for the state of a job. */
export function exitCodeOfJob({ state }: Job): number {
  if (state === 'succeeded') return exit.success;
  return state === 'partially_succeeded' ? exit.partial : exit.failed;
}

/** The exit code of several jobs: the common code, or partial success. */
function combinedExitCode(codes: readonly number[]): number {
  const [first, ...rest] = codes;
  return rest.every((code) => code === first) ? (first ?? exit.success) : exit.partial;
}

const ocr = operationCommand('ocr', 'ocr', {
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

const redact = operationCommand('redact', 'redact_pii', {
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

function entitiesOf(options: CommandContext['options']): string | string[] | undefined {
  const types = options.list('entity');
  const profile = options.oneOf('profile', ['personal', 'hipaa', 'pci', 'gdpr', 'all']);
  if (types && profile) throw new UsageError('Use --profile or --entity, not both.');
  return types ?? profile;
}

const classify = operationCommand('classify', 'classify', {
  summary: 'Detect the type of a document.',
  options: { 'top-k': { value: 'N', help: 'how many labels to return' } },
  examples: ['classify scan.pdf --wait', 'classify obj_… --top-k 1 --wait --json'],
  read: (options) => ({ top_k: options.number('top-k') }),
});

const normalize = operationCommand('normalize', 'normalize_for_llm', {
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
  usage: 'PRESET OBJECT_OR_FILE…',
  arity: [2, Number.POSITIVE_INFINITY],
  options: jobOptions,
  help: 'PRESET is the name or identifier of a preset of the project, or the name of one of the service. Local files are uploaded first.',
  examples: ["run 'Searchable PDF' scan.pdf --output out", 'run Claims claim.pdf --wait'],
  async run(call) {
    const [preset = '', ...sources] = call.args;
    return startJobs(call, sources, await findPreset(call, preset));
  },
};

/** Finds the preset with a name or identifier; those of the project come first. */
async function findPreset({ client, signal }: CommandContext, nameOrId: string): Promise<JobWork> {
  const matches = (name: string): boolean => name.toLowerCase() === nameOrId.toLowerCase();
  const names: string[] = [];
  for await (const { id, name } of client.presets.list({}, { signal })) {
    if (id === nameOrId || matches(name)) return { preset_id: id };
    names.push(name);
  }
  const { presets } = await client.capabilities({ signal });
  const servicePreset = presets.find(({ name }) => matches(name));
  // The service validates its own presets.
  if (servicePreset) return { operations: servicePreset.operations } as JobWork;
  names.push(...presets.map(({ name }) => name));
  throw new UsageError(`Preset '${nameOrId}' not found. Presets: ${names.join(', ')}.`);
}

export const documentCommands = [ocr, redact, classify, normalize, run];
