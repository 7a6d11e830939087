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
const shares = [
  'short_lines',
  'middle_lines',
  'long_lines',
  'table_rows',
  'ends_full_stop',
  'digits',
  'capitals',
] as const;
const flags = [
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
  ...shares.map((name) => `share:${name}`),
  ...flags.map((name) => `layout:${name}`),
];
const placeOf = new Map(lineFeatureNames.map((name, place) => [name, place]));

/**
 * Returns the signals for the forms of lines and the shape of the page, from 0 to 1, in the order
 * of `lineFeatureNames`.
 */
export function lineFeatures(view: PageView, words: number): Float64Array {
  const values = new Float64Array(lineFeatureNames.length);
  const set = (name: string, value: number) => {
    values[placeOf.get(name)!] = Math.min(1, value);
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
  const ofLines = (share: (line: string) => boolean) => lines.filter(share).length / count;
  const wordsOf = (line: string) => line.split(/\s+/).length;
  set(
    'share:short_lines',
    ofLines((line) => wordsOf(line) <= 3),
  );
  set(
    'share:middle_lines',
    ofLines((line) => wordsOf(line) > 3 && wordsOf(line) < 9),
  );
  set(
    'share:long_lines',
    ofLines((line) => wordsOf(line) >= 9),
  );
  set(
    'share:table_rows',
    ofLines((line) => line.split('\t').length >= 3),
  );
  set(
    'share:ends_full_stop',
    ofLines((line) => /[.!]$/.test(line)),
  );
  const all = lines.join(' ');
  const letters = all.match(/\p{L}/gu)?.length ?? 0;
  const digits = all.match(/\d/g)?.length ?? 0;
  set('share:digits', (2 * digits) / Math.max(1, letters + digits));
  set('share:capitals', (all.match(/\p{Lu}/gu)?.length ?? 0) / Math.max(1, letters));
  for (const limit of [15, 40, 80, 160]) set(`layout:words_under_${limit}`, words < limit ? 1 : 0);
  set('layout:words_over_300', words > 300 ? 1 : 0);
  set('layout:words_over_500', words > 500 ? 1 : 0);
  shapeOf(view, set);
  return values;
}

function shapeOf(view: PageView, set: (name: string, value: number) => void): void {
  const { widthPt, heightPt, lines } = view;
  const known = widthPt > 0 && heightPt > 0;
  const aspect = known ? widthPt / heightPt : 0;
  const near = (value: number, wanted: number) => (Math.abs(value / wanted - 1) < 0.04 ? 1 : 0);
  set('layout:page_narrow', known && aspect < 0.56 ? 1 : 0);
  set('layout:page_slide_16_9', near(aspect, 16 / 9));
  set('layout:page_slide_4_3', near(aspect, 4 / 3));
  set('layout:page_card', near(aspect, 1.586) || near(aspect, 125 / 88));
  set('layout:page_upright', near(aspect, 210 / 297) || near(aspect, 8.5 / 11));
  set('layout:page_small', known && Math.min(widthPt, heightPt) < 300 ? 1 : 0);
  const sizes = lines.flatMap(({ size }) => (size > 0 ? [size] : [])).sort((a, b) => a - b);
  if (sizes.length < 3) return;
  const middle = sizes[sizes.length >> 1]!;
  const spread = sizes.at(-1)! / middle;
  set('layout:size_spread_small', spread < 1.25 ? 1 : 0);
  set('layout:size_spread_large', spread > 1.8 ? 1 : 0);
  if (!known) return;
  set('layout:letters_large', middle / heightPt > 0.032 ? 1 : 0);
  set('layout:letters_small', middle / heightPt < 0.013 ? 1 : 0);
}
