import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import type { Classification, PageClassification } from './calls.ts';
import { classificationWithoutText, maxSignals, rankLabels, softmax } from './scores.ts';

/** Maximum total weight of all pages after the first. The first page has a weight of at most 1. */
const maxLaterPagesWeight = 0.8;
/** Maximum weight of one page after the first. */
const maxLaterPageWeight = 0.35;
/** Number of words from which a page has its full weight. */
const fullWeightWords = 30;

/**
 * Classifies a document by the classes of its pages, in order. The first page with words counts
 * most, so pages in the middle of a contract do not turn it into a report. Combines the logarithms
 * of the scores, so an uninformative page changes nothing.
 */
export function combinePages(pages: readonly PageClassification[]): Classification {
  const pagesWithWords = pages.filter(({ words }) => words > 0);
  const first = pagesWithWords[0];
  if (!first) {
    const { labels, signals } = classificationWithoutText();
    return { labels, signals };
  }
  if (pagesWithWords.length === 1) return { labels: first.labels, signals: first.signals };
  const lengthWeight = (page: PageClassification) =>
    Math.min(1, Math.max(0.3, page.words / fullWeightWords));
  const laterPageWeight = Math.min(
    maxLaterPageWeight,
    maxLaterPagesWeight / (pagesWithWords.length - 1),
  );
  const weights = pagesWithWords.map(
    (page, index) => (index === 0 ? 1 : laterPageWeight) * lengthWeight(page),
  );
  const totals = Float64Array.from(documentLabelNames, (name) =>
    pagesWithWords.reduce((sum, { labels }, index) => {
      const score = labels.find(({ label }) => label === name)?.score ?? 0;
      return sum + weights[index]! * Math.log(Math.max(score, 1e-3));
    }, 0),
  );
  const labels = rankLabels(softmax(totals, Math.max(1, weights[0]!)));
  return { labels, signals: signalsOf(pagesWithWords, weights, labels[0]!.label) };
}

/**
 * Returns the signals of the pages that have the class of the document, weighted like the pages.
 */
function signalsOf(
  pages: readonly PageClassification[],
  weights: readonly number[],
  label: string,
) {
  const heaviest = new Map<string, number>();
  for (const [index, page] of pages.entries()) {
    if (page.labels[0]?.label !== label) continue;
    for (const { name, weight } of page.signals) {
      heaviest.set(name, Math.max(heaviest.get(name) ?? 0, weight * weights[index]!));
    }
  }
  return [...heaviest]
    .map(([name, weight]) => ({ name, weight: Math.round(weight * 100) / 100 }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxSignals);
}
