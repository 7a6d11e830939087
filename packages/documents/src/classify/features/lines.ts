import type { PageView } from '../view.ts';
import { isCheckedZone, isZone } from './mrz.ts';

const amount = /(?:^|[^\p{L}\p{N}])\d{1,3}(?:[.,' ’]?\d{3})*[.,]\d{2}(?![\d\p{L}]|[.,]\d)/u;
const dateText =
  '(?:\\d{1,4}[./-]\\d{1,2}(?:[./-]\\d{2,4})?|\\d{1,2}[. ]{1,2}\\p{L}{3,10}\\.?(?: \\d{2,4})?|\\p{L}{3,10} \\d{1,2}(?:, \\d{4})?)';
const year = '(?:(?:\\d{1,2}|\\p{L}{3,10}\\.?)[ ./-]{0,2})?(?:19|20)\\d{2}';

/** The possible forms of a line, by the names of their signals. */
const forms: Record<string, RegExp> = {
  money: amount,
  money_at_end: /\d[.,]\d{2} ?(?:[-+A-Z€£$]{0,4}|kr|zł|CR|DR)$/,
  currency: /[€£$¥]|\b(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|BRL|R\$|AUD|CAD)\b/,
  percent: /\d ?%/,
  date: /(?:^|[^\d])(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})(?!\d)/,
  time: /\b\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[AaPp][Mm]| Uhr)?\b/,
  dated_row: new RegExp(`^${dateText}[\\s].*\\d[.,]\\d{2}`, 'u'),
  years: new RegExp(`${year} ?(?:-|–|—|to|bis|à|a|al|tot|–) ?${year}`, 'iu'),
  years_open: new RegExp(
    `${year} ?(?:-|–|—|to|bis|à|a|al|tot|until) ?(?:present|today|now|current|heute|jetzt|aujourd|ce jour|présent|actual|presente|oggi|attuale|in corso|heden|nu\\b|atual|momento|hoje|obecnie)`,
    'iu',
  ),
  iban: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/,
  email_address: /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  web_address: /\b(?:https?:\/\/|www\.)\S+|\blinkedin\.com|\bgithub\.com/i,
  phone: /(?:\+\d{1,3}|\(0\)|\b0\d{1,4})[ ./()-]{1,3}\d{2,}(?:[ ./-]?\d{2,})+/,
  masked_card: /(?:[x*•X]{4}[ -]?){1,3}\d{3,4}\b/,
  zone: /^$/,
  zone_checked: /^$/,
  blank_field: /_{3,}|\.{6,}|…{2,}|-{8,}$/,
  checkbox: /[☐☑☒□■▢❏]|\[ ?[xX]? ?\]|\( ?\)(?: |$)/,
  label_empty: /^[\p{L}][\p{L}\p{N} .,'’/()#-]{1,40}[:*?]$/u,
  label_value: /^[\p{L}][\p{L}\p{N} .'’/()#°-]{1,30}:\s+\S/u,
  bullet: /^(?:[•◦▪●○‣–»➢✓*·o-])\s+\S/,
  numbered: /^\d{1,2}[.)]\s+\p{L}/u,
  numbered_deep: /^\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\.?\s+\p{L}/u,
  paragraph_sign:
    /^(?:§+ ?\d|(?:article|artikel|artículo|articolo|artigo|art|section|clause|cláusula|clausola|clause|ziffer|paragraf)\.?[ º°]{1,2}\d)/iu,
  lettered: /^\(?[a-h]\)\s+p{L}/,
  all_capitals: /^(?=.*\p{Lu}{3})[^\p{Ll}]+$/u,
  capitals_in_text: /\b[A-Z]{4,}(?: [A-Z]{3,})?\b.*[a-z]{3}/,
  defined_term: /\((?:[^()]{0,30})["“„«'’][\p{L} -]{3,30}["”“»'’]\)|["“„«][\p{L} -]{3,30}["”“»]/u,
  mail_header:
    /^(?:from|to|sent|subject|cc|bcc|von|an|gesendet|betreff|de|à|a|envoyé|objet|para|enviado|asunto|da|inviato|oggetto|aan|van|verzonden|onderwerp|assunto|do|od|temat|date|datum|fecha|data|fra|til|från|till|ämne|emne|reply-to|message-id)\s*:\s/iu,
  mail_wrote:
    /(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)\b.*:$|^-{2,} ?.*message|^-{4,}/iu,
  quoted: /^>+\s?\S/,
  code: /[;{}]$|^(?:import|from|def|return|const|let|var|if|for|while|class|#include|function|public)\b.*[(;{:]|=>|\(\)|<\/?[a-z]+>|\/\/|^\s*[#$] ?[a-z-]+ --?/,
  citation:
    /\[\d{1,3}(?:[,–-] ?\d{1,3})*\]|\((?:\p{Lu}\p{L}+(?: et al\.?| & \p{L}+| and \p{L}+)?,? )(?:19|20)\d{2}\)|et al\./u,
  dotted_leader: /\.{4,} ?\d{1,4}$|\t\d{1,3}$/,
  page_of:
    /\b(?:page|seite|pagina|página|strona|sida|side|blatt) ?:? ?\d{1,3}(?:\s?(?:of|von|de|di|van|\/|z|av|sur)\s?\d{1,3})?/iu,
  question: /\?$/,
  quotes: /^["“„«]|["”“»]$|^[—–] ?\p{L}/u,
  fraction: /[½¼¾⅓]|\b\d+ ?(?:g|ml|kg|cl|dl|tbsp|tsp|EL|TL|cups?)\b/,
  times_x: /\b\d+ ?(?:[x×]|@) ?[€£$]?\d/i,
  person_lone: /^\p{Lu}\p{L}+(?: \p{Lu}\.)? \p{Lu}\p{L}+$/u,
  place_and_date:
    /^\p{Lu}[\p{L} .-]{2,25},?(?: den| le| il| a| de| dne)? (?:\d{1,2}[. ]|\p{Lu}\p{L}+ \d{1,2},)[\p{L}\d .,]{3,20}\d{4}$/u,
  date_lone:
    /^(?:\p{L}+,? )?(?:\d{1,2}(?:st|nd|rd|th|\.|º)?(?: de| of)? \p{L}{3,10}\.?(?: de| del)?,? \d{4}|\p{L}{3,10} \d{1,2}(?:st|nd|rd|th)?,? \d{4})$/u,
};

const formNames = Object.keys(forms);
const shareNames = [
  'short_lines',
  'middle_lines',
  'long_lines',
  'table_rows',
  'ends_full_stop',
  'digits',
  'capitals',
] as const;
const layoutNames = [
  'words_under_15',
  'words_under_40',
  'words_under_80',
  'words_under_160',
  'words_over_300',
  'words_over_500',
  'page_narrow',
  'page_card',
  'page_slide_16_9',
  'page_slide_4_3',
  'page_upright',
  'page_small',
  'size_spread_small',
  'size_spread_large',
  'letters_large',
  'letters_small',
] as const;

/**
 * The names of all signals of this module, in order. Each form has three: whether it occurs,
 * whether it occurs often, and its share of lines.
 */
export const lineFeatureNames: readonly string[] = [
  ...formNames.flatMap((name) => [`line:${name}`, `lines_some:${name}`, `lines_share:${name}`]),
  ...shareNames.map((name) => `share:${name}`),
  ...layoutNames.map((name) => `layout:${name}`),
];
const featureIndexes = new Map(lineFeatureNames.map((name, place) => [name, place]));

/**
 * Returns the signals for the forms of lines and the shape of the page, from 0 to 1, in the order
 * of `lineFeatureNames`.
 */
export function lineFeatures(view: PageView, words: number): Float64Array {
  const values = new Float64Array(lineFeatureNames.length);
  const setFeature = (name: string, value: number) => {
    values[featureIndexes.get(name)!] = Math.min(1, value);
  };
  const lines = view.lines.map(({ text }) => text.slice(0, 400));
  const count = Math.max(1, lines.length);
  formNames.forEach((name, form) => {
    let hits = 0;
    for (const line of lines) {
      const compact = name.startsWith('zone') ? line.replace(/\s/g, '').toUpperCase() : line;
      if (
        name === 'zone'
          ? isZone(compact)
          : name === 'zone_checked'
            ? isCheckedZone(compact)
            : forms[name]!.test(line)
      )
        hits++;
    }
    if (hits === 0) return;
    values[form * 3] = 1;
    values[form * 3 + 1] = Math.min(1, (hits - 1) / 4);
    values[form * 3 + 2] = hits / count;
  });
  const shareOfLines = (share: (line: string) => boolean) => lines.filter(share).length / count;
  const countWords = (line: string) => line.split(/\s+/).length;
  setFeature(
    'share:short_lines',
    shareOfLines((line) => countWords(line) <= 3),
  );
  setFeature(
    'share:middle_lines',
    shareOfLines((line) => countWords(line) > 3 && countWords(line) < 9),
  );
  setFeature(
    'share:long_lines',
    shareOfLines((line) => countWords(line) >= 9),
  );
  setFeature(
    'share:table_rows',
    shareOfLines((line) => line.split('\t').length >= 3),
  );
  setFeature(
    'share:ends_full_stop',
    shareOfLines((line) => /[.!]$/.test(line)),
  );
  const allText = lines.join(' ');
  const letters = allText.match(/\p{L}/gu)?.length ?? 0;
  const digits = allText.match(/\d/g)?.length ?? 0;
  setFeature('share:digits', (2 * digits) / Math.max(1, letters + digits));
  setFeature('share:capitals', (allText.match(/\p{Lu}/gu)?.length ?? 0) / Math.max(1, letters));
  for (const limit of [15, 40, 80, 160])
    setFeature(`layout:words_under_${limit}`, words < limit ? 1 : 0);
  setFeature('layout:words_over_300', words > 300 ? 1 : 0);
  setFeature('layout:words_over_500', words > 500 ? 1 : 0);
  setLayoutFeatures(view, setFeature);
  return values;
}

function setLayoutFeatures(
  view: PageView,
  setFeature: (name: string, value: number) => void,
): void {
  const { widthPt, heightPt, lines } = view;
  const isSizeKnown = widthPt > 0 && heightPt > 0;
  const aspect = isSizeKnown ? widthPt / heightPt : 0;
  const isNear = (value: number, target: number) => (Math.abs(value / target - 1) < 0.04 ? 1 : 0);
  setFeature('layout:page_narrow', isSizeKnown && aspect < 0.56 ? 1 : 0);
  setFeature('layout:page_slide_16_9', isNear(aspect, 16 / 9));
  setFeature('layout:page_slide_4_3', isNear(aspect, 4 / 3));
  setFeature('layout:page_card', isNear(aspect, 1.586) || isNear(aspect, 125 / 88));
  setFeature('layout:page_upright', isNear(aspect, 210 / 297) || isNear(aspect, 8.5 / 11));
  setFeature('layout:page_small', isSizeKnown && Math.min(widthPt, heightPt) < 300 ? 1 : 0);
  const sizes = lines.flatMap(({ size }) => (size > 0 ? [size] : [])).sort((a, b) => a - b);
  if (sizes.length < 3) return;
  const medianSize = sizes[sizes.length >> 1]!;
  const spread = sizes.at(-1)! / medianSize;
  setFeature('layout:size_spread_small', spread < 1.25 ? 1 : 0);
  setFeature('layout:size_spread_large', spread > 1.8 ? 1 : 0);
  if (!isSizeKnown) return;
  setFeature('layout:letters_large', medianSize / heightPt > 0.032 ? 1 : 0);
  setFeature('layout:letters_small', medianSize / heightPt < 0.013 ? 1 : 0);
}
