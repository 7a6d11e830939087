import { sources } from '@scriptorium/contracts/documents/sources';
import {
  type Classification,
  combineClassifications,
  type LabelScore,
  type PageClassification,
} from '@scriptorium/documents';
import { isPageClassification } from '@scriptorium/documents/classify/calls';
import { isTrustedRecognition } from '@scriptorium/documents/ocr/trusted-recognition';
import { minPolicyLabelScore } from '../../../library/objects/labels.ts';
import { callOptionsOf, inspectSource, readingOptionsOf } from '../calls.ts';
import {
  expiredPage,
  fromStored,
  readEarlierResult,
  toStored,
  unpagedPage,
} from '../earlier-result.ts';
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
    if (!sources[source.mime].paged) return unpagedPage(page);
    const earlier = await readEarlierResult(work, page);
    if (!earlier) return expiredPage(page);
    const found = await engines.classifyPage(
      { pageFile: earlier.pageFile },
      callOptionsOf(source, pageMs, signal),
    );
    return {
      page,
      state: 'succeeded',
      result: { labels: topLabels(found, options.top_k) },
      text: null,
      words: await toStored(found),
    };
  },

  async detect(work) {
    const labels = topLabels(await classify(work), work.options.top_k);
    const findings = labels.map(({ label, score }) => ({
      page: null,
      type: label,
      score,
      removal: null,
      content: { text: null, boxes: [] },
    }));
    return { findings };
  },

  async assemble(work) {
    const { options, source, decisions } = work;
    const classified = await classify(work);
    const labels = topLabels(classified, options.top_k);
    if (decisions?.label) return assembleDecided(decisions.label, labels, classified);
    return {
      outputs: [],
      result: { labels, signals: classified.signals },
      // Labels that policies use are kept regardless of `top_k`.
      labels: {
        all: topLabels(classified, options.top_k, minPolicyLabelScore),
        areReliable: !sources[source.mime].paged || (await isReadReliably(work)),
      },
    };
  },
};

async function classify(work: Work): Promise<Classification> {
  const { engines, source, signal } = work;
  const { path, mime } = source;
  return sources[mime].paged
    ? combineClassifications(await readClassifiedPages(work))
    : engines.classifyFile({ path, mime }, callOptionsOf(source, fileMs, signal));
}

/** The result with the label that a person chose, which becomes the document's only label. */
function assembleDecided(
  label: string,
  labels: LabelScore[],
  { signals }: Classification,
): Assembly {
  const chosen = { label, score: 1 };
  const others = labels.filter((other) => other.label !== label);
  return {
    outputs: [],
    result: { labels: [chosen, ...others], signals },
    labels: { all: [chosen], areReliable: true },
  };
}

/** Maximum share of unread text: beyond it, the labels of a page are not reliable. */
const maxUnreadShare = 0.5;

/**
 * Whether the pages were read with the service's own options and their text was recognised: a
 * client must not be able to avoid a label through the options of `ocr`.
 */
async function isReadReliably(work: Work): Promise<boolean> {
  const ocr = work.optionsOf('ocr');
  if (!ocr || !isTrustedRecognition(readingOptionsOf(ocr), work.engines.languages())) return false;
  for await (const { result } of work.pages('ocr')) {
    if (Number(result?.unread_share ?? 0) > maxUnreadShare) return false;
  }
  return true;
}

/** The `limit` labels with the highest scores, and all others with at least the minimum score. */
function topLabels({ labels }: Classification, limit: number, minScore = Infinity): LabelScore[] {
  return labels
    .filter(({ score }, at) => at < limit || score >= minScore)
    .map(({ label, score }) => ({ label, score: Math.round(score * 1e4) / 1e4 }));
}

async function readClassifiedPages(work: Work): Promise<PageClassification[]> {
  const classified: PageClassification[] = [];
  for await (const { state, words } of work.pages('classify')) {
    if (state !== 'succeeded' || !words) continue;
    const stored = await fromStored(words);
    if (!isPageClassification(stored))
      throw new Error('The stored classification of a page is invalid.');
    classified.push(stored);
  }
  return classified;
}
