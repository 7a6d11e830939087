import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { sources } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import { EngineError, type Normalized } from '@scriptorium/documents';
import type { Attached, Write } from '@scriptorium/documents/normalize/calls';
import { callOf } from '../calls.ts';
import { contentNotRead } from '../content-not-read.ts';
import { doubtedPages, doubtedTextWarnings } from '../doubted-text.ts';
import { namedPages } from '../named-pages.ts';
import type { Assembly, AttachedOutput, StepWork } from '../operation.ts';

type Work = StepWork<'normalize_for_llm'>;
type Format = OperationOptions<'normalize_for_llm'>['format'][number];

/** The time limit for a document, and the additional time for each of its pages. */
const writeMs = { document: 60_000, page: 500 };
/** The time limit for a file of the maximum size. */
const fileMs = 300_000;

const forms = {
  markdown: { mime: 'text/markdown', suffix: '.md' },
  json: { mime: 'application/json', suffix: '.json' },
  chunks: { mime: 'application/x-ndjson', suffix: '.chunks.jsonl' },
} as const satisfies Record<Format, { mime: string; suffix: string }>;

/** Builds a document from pages, or from a file without pages, and writes it in each format. */
export async function writeOutputs(work: Work): Promise<Assembly> {
  const { options, source } = work;
  const formats = work.makesOutputs ? options.format : [];
  const made: { kind: Format; path: string }[] = [];
  for (const kind of formats) made.push({ kind, path: await work.newFile() });
  const pathOf = (wanted: Format): string | null =>
    made.find(({ kind }) => kind === wanted)?.path ?? null;
  const write: Write = {
    markdown: pathOf('markdown'),
    json: pathOf('json'),
    chunks: pathOf('chunks'),
    chunkTokens: options.chunk_tokens,
    overlapTokens: options.overlap_tokens,
  };
  const attachedFile =
    work.makesOutputs && sources[source.mime].kind === 'mail' ? await work.newFile() : undefined;
  const { sparsePages, attached, attachedLeftOut, unread, ...result } = sources[source.mime].paged
    ? await normalizePaged(work, write)
    : await normalizeWhole(work, write, attachedFile);
  const files = attachedFile === undefined ? [] : await parted(work, attachedFile, attached);
  return {
    outputs: made.map((output) => ({ ...output, ...forms[output.kind] })),
    result,
    attached: files,
    warnings: work.makesOutputs
      ? [
          ...sparse(sparsePages),
          ...leftOut(attached.length, attachedLeftOut),
          ...contentNotRead(unread),
          ...doubtedTextWarnings('normalize_for_llm', await doubtedPages(work)),
        ]
      : withheld,
  };
}

/** The omitted parts are mostly running headers and footers, and labels in pictures. */
function sparse(pages: readonly number[]): JobWarning[] {
  if (pages.length === 0) return [];
  return [
    {
      code: 'text_left_out',
      message: `Less than 90% of the text of page ${namedPages(pages)} is in the Markdown and the chunks. Running headers and footers and the text in pictures are only in the JSON.`,
    },
  ];
}

function leftOut(stored: number, count: number): JobWarning[] {
  if (count === 0) return [];
  return [
    {
      code: 'attachments_left_out',
      message: `The first ${stored} attachments were stored as objects, and ${count} more were not. The Markdown names all of them.`,
    },
  ];
}

const withheld: JobWarning[] = [
  {
    code: 'outputs_withheld',
    message:
      'The outputs of normalize_for_llm were not stored, because redact_pii follows it. To get redacted text, put normalize_for_llm after redact_pii.',
  },
];

async function normalizePaged(work: Work, write: Write): Promise<Normalized> {
  const { engines, source, signal } = work;
  const layoutsFile = await work.newFile();
  let pages = 0;
  async function* layouts(): AsyncGenerator<string> {
    for await (const { state, words } of work.pages('normalize_for_llm')) {
      if (state !== 'succeeded' || !words) continue;
      pages += 1;
      yield `${(await promisify(inflate)(words)).toString('utf8')}\n`;
    }
  }
  await pipeline(Readable.from(layouts()), createWriteStream(layoutsFile));
  return engines.normalizePages(
    { layoutsFile, write },
    callOf(source, writeMs.document + writeMs.page * pages, signal),
  );
}

function normalizeWhole(
  work: Work,
  write: Write,
  attachedFile: string | undefined,
): Promise<Normalized> {
  const { engines, source, signal } = work;
  const { path, mime, redacted } = source;
  const blackedOut = redacted && work.optionsOf('redact_pii')?.style === 'blackbox';
  const inside = attachedFile === undefined ? {} : { attachedFile };
  return engines.normalizeFile(
    { path, mime, write, blackedOut, ...inside },
    callOf(source, fileMs, signal),
  );
}

/** Files that a child wrote one after the other into a single file. */
async function parted(
  work: Work,
  path: string,
  attached: readonly Attached[],
): Promise<AttachedOutput[]> {
  const total = attached.reduce((sum, { bytes }) => sum + bytes, 0);
  // A child's report is untrusted.
  if ((await stat(path)).size !== total) {
    throw new EngineError('crashed', 'The engine failed on this file.');
  }
  const files: AttachedOutput[] = [];
  let start = 0;
  for (const { filename, mime, bytes } of attached) {
    const to = await work.newFile();
    const end = start + bytes - 1;
    await pipeline(createReadStream(path, { start, end }), createWriteStream(to));
    files.push({ path: to, filename, declaredMime: mime });
    start += bytes;
  }
  return files;
}
