/** The module that engine children run: what `createEngines` asks for, by name. */
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Handler, serveTasks } from './child-main.ts';
import { EngineError } from './errors.ts';
import { closeSources, inspect } from './source.ts';

const SourceInput = Type.Object({ path: Type.String(), mime: Type.String() });

const RecogniseInput = Type.Object({
  path: Type.String(),
  mime: Type.String(),
  page: Type.Integer(),
  languages: Type.Array(Type.String()),
  existingText: Type.Union([Type.Literal('skip'), Type.Literal('redo'), Type.Literal('force')]),
  rotate: Type.Boolean(),
  deskew: Type.Boolean(),
  tessdata: Type.Record(Type.String(), Type.String()),
  scratch: Type.String(),
});

const AssembleInput = Type.Object({
  path: Type.String(),
  mime: Type.String(),
  pagesFile: Type.String(),
  outPath: Type.String(),
});

const TextInput = Type.Object({ pagesFile: Type.String(), outPath: Type.String() });

/** Checks the input before the work; between owners, open documents are forgotten first. */
function handler<S extends TSchema>(
  schema: S,
  work: (input: Static<S>, isolation: string) => Promise<unknown>,
): Handler {
  const check = Compile(schema);
  return async (input, { isolation }) => {
    if (!check.Check(input)) {
      throw new EngineError('invalid_argument', 'The engine was called with a wrong argument.');
    }
    if (owner !== isolation) closeSources();
    owner = isolation;
    return work(input, isolation);
  };
}

let owner = '';
/** One recogniser per set of models; it starts with the first page that needs it. */
let recogniser: { key: string; tesseract: import('./tesseract.ts').Tesseract } | undefined;

async function tesseractFor(scratch: string, tessdata: Record<string, string>) {
  const key = JSON.stringify([scratch, tessdata]);
  if (recogniser?.key !== key) {
    const { createTesseract } = await import('./tesseract.ts');
    recogniser = { key, tesseract: createTesseract(scratch, tessdata) };
  }
  return recogniser.tesseract;
}

serveTasks({
  inspect: handler(SourceInput, ({ path, mime }) => inspect(path, mime)),
  recognise: handler(RecogniseInput, async ({ tessdata, scratch, ...request }, isolation) => {
    const { recognisePage } = await import('./ocr.ts');
    return recognisePage(await tesseractFor(scratch, tessdata), request, isolation);
  }),
  assemblePdf: handler(AssembleInput, async (request) => {
    const { assembleSearchablePdf } = await import('./text-layer.ts');
    return assembleSearchablePdf(request);
  }),
  assembleText: handler(TextInput, async (request) => {
    const { assembleText } = await import('./text-outputs.ts');
    return assembleText(request);
  }),
  assembleWords: handler(TextInput, async (request) => {
    const { assembleWords } = await import('./text-outputs.ts');
    return assembleWords(request);
  }),
});
