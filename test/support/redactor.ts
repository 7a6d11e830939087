import { readFile, writeFile } from 'node:fs/promises';
import { EngineError, type Engines, type KnownValue } from '@scriptorium/documents';
import type {
  PagePlan,
  PlannedPage,
  PlannedRemoval,
} from '@scriptorium/documents/redact/contract/plan';
import type {
  RedactedPage,
  RedactionCheck,
  RemovalReport,
} from '@scriptorium/documents/redact/contract/report';
import type { RedactedInKind } from '@scriptorium/documents/redact/contract/requests';
import type { Box, PageResult } from '@scriptorium/documents/results';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { textOf } from './samples.ts';

/**
 * A redactor that does what the engines promise on documents of plain lines, in the test's own process,
 * and goes wrong where a test wants it to. A word after `Mr` is a person, one with an @ an address.
 */
export interface RedactorDouble {
  /** Redacts with `engines` doing all that is not about redaction. */
  wrap(engines: Engines): Engines;
  faults: Faults;
  /** The number of calls, by name. */
  calls: Record<
    'findPage' | 'spreadValues' | 'redactPages' | 'checkPage' | 'checkFile' | 'redactInKind',
    number
  >;
  reset(): void;
}

interface Faults {
  /** Pages of the source that cannot be searched. */
  unsearchablePages: number[];
  /** Pages of the source on which values are left standing. */
  leakingPages: number[];
  /** Pages of the source on which values are left, unless the page becomes a picture. */
  leakingInPlacePages: number[];
  /** Pages of the source whose check cannot be carried out. */
  uncheckablePages: number[];
  /** The last page is lost where values are spread over all of them. */
  losesLastPage: boolean;
  /** The file's own check fails. */
  failsFileCheck: boolean;
  /** Nothing is checked at all. */
  skipsChecks: boolean;
  /** The remover waits, until it is told to go on or stop. */
  waitsForAbort: boolean;
}

const noFaults = (): Faults => ({
  unsearchablePages: [],
  leakingPages: [],
  leakingInPlacePages: [],
  uncheckablePages: [],
  losesLastPage: false,
  failsFileCheck: false,
  skipsChecks: false,
  waitsForAbort: false,
});

export function createRedactor(): RedactorDouble {
  const noCalls = {
    findPage: 0,
    spreadValues: 0,
    redactPages: 0,
    checkPage: 0,
    checkFile: 0,
    redactInKind: 0,
  };
  const redactor: RedactorDouble = {
    faults: noFaults(),
    calls: { ...noCalls },
    reset() {
      redactor.faults = noFaults();
      redactor.calls = { ...noCalls };
    },
    wrap: (engines) => ({
      ...engines,
      findPage: async (request) => {
        redactor.calls.findPage += 1;
        if (redactor.faults.unsearchablePages.includes(request.page)) {
          throw new EngineError('damaged', 'The page cannot be searched.');
        }
        const page = JSON.parse(await readFile(request.pageFile, 'utf8')) as PageResult;
        return planPage(page, request.options.entities);
      },
      spreadValues: async ({ plansFile, outPath }) => {
        redactor.calls.spreadValues += 1;
        const before = await readPlans(plansFile);
        const known = before.flatMap((plan) => (plan.state === 'planned' ? plan.removals : []));
        const after = before.map((plan) => spreadOver(plan, known));
        if (redactor.faults.losesLastPage) after.pop();
        await writeFile(outPath, after.map((plan) => `${JSON.stringify(plan)}\n`).join(''));
        return { removals: 0 };
      },
      redactPages: async (request, { signal }) => {
        redactor.calls.redactPages += 1;
        if (redactor.faults.waitsForAbort) await untilAborted(signal);
        return removeFrom(await readPlans(request.plansFile), request.outPath, redactor.faults);
      },
      checkPage: async (request) => {
        redactor.calls.checkPage += 1;
        if (redactor.faults.skipsChecks) return [];
        const report = JSON.parse(await readFile(request.reportFile, 'utf8')) as RemovalReport;
        const page = report.pages[request.outputPage - 1]!;
        if (redactor.faults.uncheckablePages.includes(page.page) && page.treatment !== 'empty') {
          throw new EngineError('crashed', 'The engine stopped unexpectedly on this file.');
        }
        const texts = await textOf(await readFile(request.path));
        const text = texts[request.outputPage - 1]!;
        const passed = !report.values.some(({ value }) => text.includes(value));
        return [check('text', passed, passed ? 'Nothing is left.' : 'Something is left.')];
      },
      // Each output is checked as a whole.
      digestPages: async () => [],
      checkFile: async () => {
        redactor.calls.checkFile += 1;
        return [check('structure', !redactor.faults.failsFileCheck, 'The file was looked at.')];
      },
      findInName: async () => [],
      redactInKind: async ({ path, outPath, options }) => {
        redactor.calls.redactInKind += 1;
        const words = (await readFile(path, 'utf8')).split(' ');
        const removals: RedactedInKind['removals'] = [];
        const text = redactWords(words, options.entities, [], ({ type, score, value }) =>
          removals.push({ type, score, value, page: 1 }),
        );
        const verified = !redactor.faults.failsFileCheck;
        if (verified) await writeFile(outPath, text);
        const checks = [check('text', verified, 'The file was looked at.')];
        const pictures = words.filter((word) => word === '(picture)');
        const notCovered = [words.includes('(Russian)') ? ['ru'] : []];
        return {
          removals,
          pages: [text],
          checks,
          embedded: { kept: 0, redacted: 0 },
          picturesReplaced: pictures.length,
          dropped: [],
          notCovered,
        };
      },
    }),
  };
  return redactor;
}

function check(name: string, passed: boolean, detail: string): RedactionCheck {
  return { name, passed, detail, pages: [] };
}

type WantedTypes = 'all' | readonly string[];

/** The words without those that are personal, each of which is told. */
function redactWords(
  words: readonly string[],
  wantedTypes: WantedTypes,
  known: readonly KnownValue[],
  report: (removal: PlannedRemoval, at: number) => void,
): string {
  const isWanted = (type: string): boolean => wantedTypes === 'all' || wantedTypes.includes(type);
  return words
    .map((word, at) => {
      const knownType = known.find(({ value }) => value === word)?.type;
      const detectedType = word.includes('@')
        ? 'EMAIL_ADDRESS'
        : words[at - 1] === 'Mr'
          ? 'PERSON'
          : null;
      const type = knownType ?? (detectedType && isWanted(detectedType) ? detectedType : null);
      if (type === null) return word;
      report({ type, score: 0.9, value: word, boxes: [], source: 'pdf' }, at);
      return `[${type}]`;
    })
    .join(' ');
}

const toHundredths = (points: number): number => Math.round(100 * points);

function planPage(page: PageResult, wantedTypes: WantedTypes): PagePlan {
  const removals: PlannedRemoval[] = [];
  const words = page.words.map(({ text }) => text);
  const redactedText = redactWords(words, wantedTypes, [], (removal, at) => {
    removals.push({ ...removal, boxes: [page.words[at]!.box] });
  });
  const boxes = page.words.flatMap(({ box }) => box.map(toHundredths));
  const readings: PagePlan['readings'] = [{ source: 'pdf', text: words.join(' '), boxes }];
  return {
    page: page.page,
    widthPt: page.widthPt,
    heightPt: page.heightPt,
    removals,
    redactedText,
    readings,
  };
}

/** A plan with what was found elsewhere, in what was read of its page, and without that. */
function spreadOver(plan: PlannedPage, known: readonly KnownValue[]): PlannedPage {
  if (plan.state === 'failed') return plan;
  const { readings, ...rest } = plan;
  const [{ text, boxes } = { text: '', boxes: [] }] = readings ?? [];
  const removals: PlannedRemoval[] = [];
  const redactedText = redactWords(text.split(' '), [], known, (removal, at) => {
    const box = boxes.slice(4 * at, 4 * at + 4).map((side) => side / 100) as Box;
    removals.push({ ...removal, boxes: [box] });
  });
  return { ...rest, removals, redactedText };
}

async function readPlans(path: string): Promise<PlannedPage[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as PlannedPage);
}

async function removeFrom(
  planned: readonly PlannedPage[],
  outPath: string,
  { leakingPages: leak, leakingInPlacePages: inPlace }: Faults,
): Promise<RemovalReport> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  const values: RemovalReport['values'] = [];
  const pages = planned.map((plan, at): RedactedPage => {
    const sheet = document.addPage([plan.widthPt, plan.heightPt]);
    const write = (text: string): void => sheet.drawText(text, { x: 20, y: 300, size: 9, font });
    const { page, widthPt, heightPt } = plan;
    const position = { page, outputPage: at + 1, widthPt, heightPt };
    if (plan.state === 'failed') {
      write('This page could not be redacted.');
      return { ...position, treatment: 'empty', reason: null, regions: [] };
    }
    const { removals, redactedText } = plan;
    values.push(...removals.map(({ type, value }) => ({ type, value })));
    const leaks = leak.includes(page) || (inPlace.includes(page) && !plan.asPicture);
    const leakedValues = leaks ? removals.map(({ value }) => value) : [];
    write([redactedText, ...leakedValues].join(' '));
    const regions = removals.flatMap(({ boxes, type }) => boxes.map((box) => ({ box, type })));
    const inPlaceOf = removals.length > 0 ? 'redacted' : 'copied';
    const treatment = plan.asPicture ? 'burned' : inPlaceOf;
    return { ...position, treatment, reason: null, regions };
  });
  await writeFile(outPath, await document.save());
  return { pages, values };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new EngineError('cancelled', 'The work was cancelled.'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
