import type { PiiFinding } from '../finding.ts';
import { type Line, lineAt, linesOf } from '../labels/layout.ts';
import { isFrequentWord } from '../language/evidence.ts';
import { domainScores } from '../recognisers/internet/domains.ts';
import type { TextView } from '../view.ts';

const score = 0.6;

/** A word that may be an account name. `isHandle` or the names of people confirm it. */
const token =
  /(?<![\p{L}\p{N}@._-])[\p{L}\p{N}]{1,40}(?:[._][\p{L}\p{N}]{1,40}){0,4}(?![\p{L}\p{N}@_-]|\.\p{L})/gu;
const shortest = 5;
/** Characters that do not occur in words of a language. */
const sign = /[\p{N}_]|\p{L}\.\p{L}/u;

/** Parts of words for access to a service and for account holders, without accents. */
const stems =
  'zugang|login|log-in|logon|sign-?in|sign-?on|porta(?:l|il|al)|account|konto|konta|kennung|anmelde|benutzer|nutzer|user|usuari|utilis|utiliz|utente|utenza|compte|cuenta|conta(?![a-z])|identifia|gebruiker|inlog|toegang|dostep|logowani|uzytkownik|mitglied|member|intranet|extranet|webmail|nickname|skype|whatsapp|telegram|discord|instagram|snapchat|mastodon|icq|handle(?![a-z])|(?:online|web|internet)[ -](?:acc|zug|ban)[a-z]+|acc?es(?:s|so)?(?![a-z])|acesso(?![a-z])|acceso(?![a-z])';
const spaces =
  '(?:espace|area|zona|mein|meine|mon|mi|my|strefa)[ -](?:clie|adher|memb|perso|priva|reserv|riserv|abonne|soci|kund|klient)[a-z]*';
const access = new RegExp(`(?<![a-z])(?:[a-z]+-?)?(?:${stems})|(?<![a-z])${spaces}`);
/**
 * Words for access directly before a name. Without a colon, only a word that belongs to them may be
 * between them and the name.
 */
const nextTo = new RegExp(
  `(?:(?<![a-z])(?:[a-z]+-?)?(?:${stems})[a-z]*|${spaces})(?: (?:web|online|intranet|client[ei]?s?|name|id|als|as|per|sous|como|come|jako))?$`,
);
const maxWords = 5;
const longestLabel = 60;

/** File names are not account names. */
const file =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|md|csv|json|ya?ml|xml|html?|css|[jt]sx?|sql|sh|log|png|jpe?g|tiff?|gif|zip|exe|dll|ini|conf)$/i;

/** Whether a word has a form that account names have and words of a language do not. */
function isHandle(word: string): boolean {
  if (word.length < shortest || (word.match(/\p{L}/gu)?.length ?? 0) < 3) return false;
  if (/^\p{N}/u.test(word) || word === word.toUpperCase() || file.test(word)) return false;
  if (domainScores(word) !== null) return false;
  return /_|\p{L}\.\p{Ll}/u.test(word) || /^\p{Ll}+\p{N}{1,4}$/u.test(word);
}

/**
 * Returns the text before a position in its cell, or in the previous cell, and whether a colon or
 * gap separates it from the position.
 */
function labelBefore(view: TextView, lines: readonly Line[], start: number) {
  const { cells } = lines[lineAt(lines, start)]!;
  const column = cells.findIndex(({ end }) => end > start);
  const cell = cells[column];
  const own = cell ? view.lower.slice(Math.max(cell.start, start - longestLabel), start) : '';
  const before = cells[column - 1];
  const isFirst = own.trim() === '' && before !== undefined;
  const text = isFirst ? view.lower.slice(before.start, before.end) : own;
  const phrase = /[^.;!?,()•]*$/.exec(text.trimEnd().replace(/[:="'“„«»–-]+ *$/, ''))?.[0] ?? '';
  return {
    phrase: phrase.trim(),
    isApart: isFirst || /[:=] *["'“„«]?$/.test(text),
    end: cell?.end ?? start,
  };
}

/** Whether words for access before a name, on its line, indicate an account. */
function isLabelled(view: TextView, lines: readonly Line[], start: number, stop: number): boolean {
  const { phrase, isApart, end } = labelBefore(view, lines, start);
  if (phrase === '' || phrase.length > longestLabel || phrase.split(' ').length > maxWords)
    return false;
  if (!(isApart ? access : nextTo).test(phrase)) return false;
  // In running text about programs, any word may have such a form.
  return /^ ?["'”»]?(?:$|[.,;)!]|\()/.test(view.text.slice(stop, Math.min(end, stop + 3)));
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa' };
const letters: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe' };
const folded = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[ßłøæœ]/g, (letter) => letters[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
const written = (word: string): string[] => {
  const small = word.toLowerCase().normalize('NFC');
  return [...new Set([folded(small), folded(small.replace(/[äöüå]/g, (one) => umlauts[one]!))])];
};

/** Minimum length of a name. Shorter names are part of too many words. */
const minName = 4;
const maxOfFirst = 4;

/**
 * Returns the forms of names of people in accounts: `names` with separate parts, `joined` without.
 */
function formsOf(people: readonly string[]): { names: Set<string>; joined: Set<string> } {
  const [names, joined] = [new Set<string>(), new Set<string>()];
  for (const person of people) {
    const words = [...person.matchAll(/\p{Lu}[\p{L}\p{M}]+/gu)].flatMap(([one]) => written(one));
    for (const word of words) {
      if (word.length < minName) continue;
      names.add(word);
      for (const other of words) {
        if (other === word) continue;
        for (let length = 1; length <= maxOfFirst; length += 1)
          joined.add(other.slice(0, length) + word);
        joined.add(other + word);
        for (const length of [1, 2]) joined.add(word + other.slice(0, length));
      }
    }
  }
  return { names, joined };
}

/**
 * Finds account names: words in the form of an account name after words for access (`Online-Zugang
 * mreuter_giro`), and words that are derived from a person's name in the text (`mreuter` from Maike
 * Reuter).
 * @param people the names that were found
 */
export function signIns(view: TextView, people: readonly string[]): PiiFinding[] {
  const { text, original } = view;
  const lines = linesOf(view);
  const { names, joined } = formsOf(people);
  return [...text.matchAll(token)].flatMap(({ index, 0: word }): PiiFinding[] => {
    const stop = index + word.length;
    const isSigned = sign.test(word);
    const isSmall = word === word.toLowerCase();
    if (word.length < shortest || !(isSigned || (isSmall && joined.size > 0))) return [];
    const parts = folded(word)
      .split(/[^a-z]+/)
      .filter((part) => part !== '');
    const isOfName = parts.some(
      (part) =>
        (isSigned && names.has(part)) ||
        ((isSigned || (isSmall && !isFrequentWord(part))) && joined.has(part)),
    );
    const isOne = isOfName
      ? (isSmall || /[\p{N}_]/u.test(word)) && domainScores(word) === null
      : isHandle(word) && isLabelled(view, lines, index, stop);
    if (!isOne) return [];
    return [{ type: 'PERSONAL_ID', start: original(index), end: original(stop - 1) + 1, score }];
  });
}
