import { sources } from '@scriptorium/contracts/documents/sources';
import {
  type Classified,
  type ClassifiedPage,
  combineClassified,
  type LabelScore,
} from '@scriptorium/documents';
import { isClassifiedPage } from '@scriptorium/documents/classify/calls';
import { isReadByOwnMeans } from '@scriptorium/documents/ocr/own-means';
import { labelCounts } from '../../../library/objects/labels.ts';
import { callOf, howRead, inspectSource } from '../calls.ts';
import { expiredPage, fromStored, leftOfPage, pageOfWhole, toStored } from '../left-page.ts';
import type { Assembly, OperationWork, ReviewableWork, StepWork } from '../operation.ts';

type Work = StepWork<'classify'>;

/** A range of pages must fit into the time limit of its task. */
const pageMs = 10_000;
/** The time limit for a file of the maximum size. */
const fileMs = 120_000;

/** Classifies a document by its pages, and labels the job's source. */
export const classifyWork: OperationWork<'classify'> & ReviewableWork<'classify'> = {
  open: inspectSource,

  async page(work, page) {
    const { engines, source, options, signal } = work;
    if (!sources[source.mime].paged) return pageOfWhole(page);
    const left = await leftOfPage(work, page);
    if (!left) return expiredPage(page);
    const found = await engines.classifyPage(
      { pageFile: left.pageFile },
      callOf(source, pageMs, signal),
    );
    return {
      page,
      state: 'succeeded',
      result: { labels: likeliest(found, options.top_k) },
      text: null,
      words: await toStored(found),
    };
  },

  async detect(work) {
    const labels = likeliest(await classify(work), work.options.top_k);
    const findings = labels.map(({ label, score }) => ({
      ...{ page: null, type: label, score, removal: null },
      content: { text: null, boxes: [] },
    }));
    return { findings };
  },

  async assemble(work) {
    const { options, source, decisions } = work;
    const found = await classify(work);
    const labels = likeliest(found, options.top_k);
    if (decisions?.label) return decidedAssembly(decisions.label, labels, found);
    return {
      outputs: [],
      result: { labels, signals: found.signals },
      // Labels that policies use are kept regardless of `top_k`.
      labels: {
        all: likeliest(found, options.top_k, labelCounts),
        areSure: !sources[source.mime].paged || (await isWellRead(work)),
      },
    };
  },
};

async function classify(work: Work): Promise<Classified> {
  const { engines, source, signal } = work;
  const { path, mime } = source;
  return sources[mime].paged
    ? combineClassified(await classifiedPages(work))
    : engines.classifyFile({ path, mime }, callOf(source, fileMs, signal));
}

/** The result with the label that a person chose, which becomes the document's only label. */
function decidedAssembly(label: string, labels: LabelScore[], { signals }: Classified): Assembly {
  const chosen = { label, score: 1 };
  const others = labels.filter((one) => one.label !== label);
  return {
    outputs: [],
    result: { labels: [chosen, ...others], signals },
    labels: { all: [chosen], areSure: true },
  };
}

/** A page with a larger share of unread text could be anything. */
const maxUnreadShare = 0.5;

/**
 * Whether the pages were read with the service's own options and their text was recognised: a
 * client must not be able to avoid a label through the options of `ocr`.
 */
async function isWellRead(work: Work): Promise<boolean> {
  const ocr = work.optionsOf('ocr');
  if (!ocr || !isReadByOwnMeans(howRead(ocr), work.engines.languages())) return false;
  for await (const { result } of work.pages('ocr')) {
    if (Number(result?.unread_share ?? 0) > maxUnreadShare) return false;
  }
  return true;
}

/** The `limit` likeliest labels, and all others with a score of at least `least`. */
function likeliest({ labels }: Classified, limit: number, least = Infinity): LabelScore[] {
  return labels
    .filter(({ score }, at) => at < limit || score >= least)
    .map(({ label, score }) => ({ label, score: Math.round(score * 1e4) / 1e4 }));
}

async function classifiedPages(work: Work): Promise<ClassifiedPage[]> {
  const found: ClassifiedPage[] = [];
  for await (const { state, words } of work.pages('classify')) {
    if (state !== 'succeeded' || !words) continue;
    const stored = await fromStored(words);
    if (!isClassifiedPage(stored))
      throw new Error('The stored classification of a page is invalid.');
    found.push(stored);
  }
  return found;
}
