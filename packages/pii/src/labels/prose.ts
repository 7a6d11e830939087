import { particle } from '../particles.ts';
import type { ValueRange } from './forms.ts';
import { type Range, textAt } from './layout.ts';

/** Text instead of a name or address, as in an empty field. */
const emptyValue =
  /^(?:n\/?a|none|unknown|see|same|as above|not|tbd|tba|yes|no|nil|keine?|siehe|wie oben|unbekannt|neant|voir|aucun|ninguno|ver|nessuno|vedi|geen|zie|brak|patrz|ingen|se)(?![\p{L}])/iu;
/** Words for other fields that forms have next to a name. */
const fieldNames =
  'date|data|datum|fecha|dato|dzień|place|ort|plaats|lieu|lugar|local|luogo|miejsce|signature|unterschrift|firma|assinatura|handtekening|podpis|position|function|funktion|funktie|functie|fonction|función|função|funzione|funkcja|role|rolle|rol|rôle|department|abteilung|afdeling|service|status|time|zeit|heure|hora|ora';
const heading = new RegExp(
  `^(?:${fieldNames})(?:(?: (?:and|und|et|y|e|en|i) |, ?| ?/ ?)(?:${fieldNames}))*$`,
  'iu',
);
const legalForm =
  /^(?:ltd|llc|inc|gmbh|ag|kg|plc|corp|co|sa|sas|sarl|srl|spa|bv|nv|oy|ab|as|aps|sro|kft|llp|lp)\.?$/i;
const maxWords = 6;
const maxUnits = 120;

const word = /^\p{L}[\p{L}\p{M}'’.-]*/u;

const acronym = /^\p{Lu}{2,5}(?![\p{L}])/u;
const isUpperCase = (name: string): boolean => name === name.toUpperCase();

/** Reads a name: capitalised words and particles. */
export function readName({ view: { text }, start, end }: ValueRange): Range | null {
  if (emptyValue.test(text.slice(start, Math.min(end, start + 24)))) return null;
  if (heading.test(text.slice(start, Math.min(end, start + maxUnits)).trimEnd())) return null;
  let [at, stop, words] = [start, -1, 0];
  while (words < maxWords) {
    const token = textAt(text, at, word);
    if (!token || at + token.length > end) break;
    const after = text.slice(at + token.length, at + token.length + 2);
    if (/^ ?[:=]/.test(after)) break;
    const isName = !/^\p{Ll}/u.test(token);
    if (!isName && (words === 0 || !particle.test(token))) break;
    if (words > 0 && legalForm.test(token)) return null;
    words += 1;
    at += token.length;
    if (isName) stop = at - (/[^.]{3}\.$/.test(token) ? 1 : 0);
    if (isName && /[^.\p{Lu}]\.$/u.test(token) && token.length > 4) break;
    const gap = /^(?:, | )(?=\p{L})/u.exec(text.slice(at, at + 3))?.[0];
    if (!gap || (gap === ', ' && words > 3)) break;
    // Another label follows: `Tenant: Ada Bell, NIF …`.
    if (gap === ', ' && !isUpperCase(token) && acronym.test(text.slice(at + 2, at + 8))) break;
    at += gap.length;
  }
  if (stop <= 0 || stop - start < 2 || isSentence(text.slice(stop, end).slice(0, maxUnits))) {
    return null;
  }
  return { start, end: stop };
}

/** Whether the text behind a capitalised word makes a sentence of the cell, as in a table. */
const isSentence = (behind: string): boolean =>
  /^ \p{Ll}/u.test(behind) && /[.!?]$/.test(behind.trimEnd()) && behind.split(' ').length > 3;

const amount = /^[\d.,' ]*[.,]\d{2}(?: ?[€$£%]| ?[A-Z]{3})?$/;

/** Whether a text can be an address or a part of it: it has a number or several names. */
function isAddress(text: string): boolean {
  return (
    (/\d/.test(text) && !amount.test(text)) ||
    (text.match(/(?<![\p{L}])\p{Lu}[\p{Ll}]+/gu)?.length ?? 0) > 1
  );
}

const greeting =
  /^(?:dear|sehr|liebe[rs]?|madame|monsieur|estimad|gentile|egregi|beste|geachte|szanown|hej|caro|cara|prezad|hallo|hello|hi)(?![\p{L}])/iu;

/** Reads the lines of an address, from `start` to the end of its cell and in the cells below. */
export function readAddress({ view: { text }, start, end }: ValueRange): Range | null {
  const firstLine = text.slice(start, Math.min(end, start + maxUnits));
  if (emptyValue.test(firstLine) || /[@:]|\/\//.test(firstLine)) return null;
  const sentence = firstLine.search(/\p{L}{4,}[.;](?: |$)/u);
  const cutAt =
    sentence < 0 ? firstLine.length : firstLine.slice(sentence).search(/[.;]/) + sentence;
  const head = firstLine.slice(0, cutAt).trimEnd();
  if (head.length < 4 || !isAddress(head)) return null;
  let stop = start + head.length;
  for (let line = 0; line < 4 && cutAt === firstLine.length; line += 1) {
    if (text[stop] !== '\n') break;
    const lineEnd = text.indexOf('\n', stop + 1);
    const next = text.slice(stop + 1, lineEnd < 0 ? text.length : lineEnd);
    const endsWithComma = text[stop - 1] === ',';
    const isContinuation =
      /^[\p{Lu}\d]/u.test(next) &&
      next.length <= 60 &&
      !/[:@\t|]|[.!?]$/.test(next) &&
      !greeting.test(next) &&
      (/\d/.test(next) ||
        endsWithComma ||
        /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}$/u.test(next));
    if (!isContinuation) break;
    stop += 1 + next.length;
  }
  return { start, end: stop };
}

/** Reads any text up to the end of the sentence. */
export function readText({ view: { text }, start, end }: ValueRange): Range | null {
  const candidate = text.slice(start, Math.min(end, start + maxUnits));
  const sentence = candidate.search(/[.;](?: |$)/);
  const value = (sentence < 0 ? candidate : candidate.slice(0, sentence)).trimEnd();
  if (value.length < 2 || emptyValue.test(value) || !/\p{L}/u.test(value)) return null;
  return { start, end: start + value.length };
}
