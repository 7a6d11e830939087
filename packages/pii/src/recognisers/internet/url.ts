import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';
import { domainScores } from './domains.ts';

const withScheme = /(?<![A-Za-z0-9])(?:https?|ftps?|sftp|wss?):\/\/[^\s<>"`{}|\\^]{3,2000}/gi;
const withWww = /(?<![A-Za-z0-9@.-])www\d?\.[^\s<>"`{}|\\^/]{1,250}\.[^\s<>"`{}|\\^]{2,1000}/gi;
/** A URL in recognised text, which has spaces after punctuation. */
const splitUrl =
  /(?<![A-Za-z0-9])(?:https?) ?: ?\/ ?\/ ?(?:[\w-]{1,63} ?\. ?){1,6}[a-z]{2,24}(?:\/[^\s<>"]{0,500})?/gi;
const withoutScheme =
  /(?<![\p{L}\p{N}@._/\\-])[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])(?:\/[^\s<>"`{}|\\^]{0,1000})?/gu;

const maxTrims = 8;
const count = (text: string, sign: string) => text.split(sign).length - 1;

/**
 * Removes the punctuation of the sentence, and a closing bracket that was opened before the URL.
 */
function trimUrl(matched: string): string {
  let url = matched;
  for (let round = 0; round < maxTrims; round += 1) {
    let shorter = url.replace(/[.,;:!?'*_]+$/, '');
    const isUnopened =
      (shorter.endsWith(')') && count(shorter, ')') > count(shorter, '(')) ||
      (shorter.endsWith(']') && count(shorter, ']') > count(shorter, '['));
    if (isUnopened) shorter = shorter.slice(0, -1);
    if (shorter === url) return url;
    url = shorter;
  }
  return url;
}

const candidate = (start: number, url: string, alone: number, inContext: number): PiiCandidate => ({
  start,
  end: start + url.length,
  alone,
  inContext,
});

export const url: PiiRecogniser = {
  context: contextWords([
    'website',
    'site',
    'web',
    'url',
    'homepage',
    'visit',
    'www',
    'link',
    'domain*',
  ]),
  against: contextWords(['file', 'datei', 'fichier', 'archivo', 'script', 'module', 'package']),
  *candidates({ text, recognised }) {
    for (const pattern of [withScheme, withWww, ...(recognised ? [splitUrl] : [])]) {
      yield* matches(text, pattern, (match) => {
        const cleaned = trimUrl(match[0]);
        return cleaned.length > 6 ? candidate(match.index, cleaned, 0.95, 0.98) : null;
      });
    }
    yield* matches(text, withoutScheme, (match) => {
      const [host = ''] = match[0].split('/');
      const scores = domainScores(host);
      if (!scores || /^\d+\.\d+$/.test(host)) return null;
      const [alone, inContext] = scores;
      const hasPath = match[0].length > host.length;
      return candidate(
        match.index,
        trimUrl(match[0]),
        hasPath ? Math.max(alone, 0.6) : alone,
        inContext,
      );
    });
  },
};
