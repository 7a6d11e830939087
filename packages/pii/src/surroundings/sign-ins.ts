import type { PiiFinding } from '../finding.ts';
import { type Line, lineAt, linesOf } from '../labels/layout.ts';
import { isFrequentWord } from '../language/evidence.ts';
import { domainScores } from '../recognisers/internet/domains.ts';
import { isUsualWord } from '../tagger/index.ts';
import type { TextView } from '../view.ts';

const score = 0.6;

/** A word that may be an account name. `isHandle` or the names of people confirm it. */
const token =
  /(?<![\p{L}\p{N}@._/-])[\p{L}\p{N}]{1,40}(?:[._-][\p{L}\p{N}]{1,40}){0,4}(?![\p{L}\p{N}@_-]|[./]\p{L})/gu;
/** In text from pictures, the underscore of a name may be read as a space. */
const split =
  /(?<![\p{L}\p{N}@._-])\p{Ll}{4,24} (?:\p{Ll}{3,12}|\p{N}{1,4})(?=["'”»]?(?:[.,;)\t]|[ ]{2}|[ ]?$))/gmu;
const shortest = 5;
/** Minimum length of a name. Shorter names are part of too many words. */
const minName = 4;
/** Characters that do not occur in words of a language. */
const sign = /[\p{N}_]|\p{L}\.\p{L}/u;

/** Parts of words for access to a service and for account holders, without accents. */
const stems =
  'zugang|zugriff|login|log-in|logon|sign-?in|sign-?on|porta(?:l|il|al)|account|konto|konta|kennung|anmeld|benutzer|nutzer|user|usuari|utilis|utiliz|utente|utenza|compte|cuenta|conta(?![a-z])|identifia|gebruiker|inlog|toegang|dostep|logowani|uzytkownik|mitglied|member|intranet|extranet|webmail|nickname|skype|whatsapp|telegram|discord|instagram|snapchat|mastodon|icq|handle(?![a-z])|forum(?![a-z])|foro(?![a-z])|(?:online|web|internet)[ -](?:acc|zug|ban)[a-z]+|acc?es(?:s|so)?(?![a-z])|acesso(?![a-z])|acceso(?![a-z])|banking|bankier|bankow|internetban[ck]|homebank';
const spaces =
  '(?:(?:espace|area|zona|mein|meine|mon|mi|my|mijn|mitt|min|strefa)[ -](?:de |dei |du |do )?(?:clie|adher|memb|perso|priva|reserv|riserv|abonne|soci|kund|klient|omgev|konto|sid|conto|cuent|compt|account|profil)|(?:acc?es+o?|compte|servi[cz][a-z]*|banc[ao]|banque) (?:en ligne|en linea|elec?tr?onic|elettronic|electronic|telematic|multican)|(?:(?:an|ein)gemeldet|eingeloggt|(?:sign|logg)ed in|connecte|conectado|conectada|connesso|connessa|ingelogd|aangemeld|zalogowan|inloggad))[a-z]*';
const access = new RegExp(`(?<![a-z])(?:[a-z]+-?)?(?:${stems})|(?<![a-z])${spaces}`);
/**
 * Words for access directly before a name. Without a colon, only a word that belongs to them may be
 * between them and the name.
 */
const nextTo = new RegExp(
  `(?:(?<![a-z])(?:[a-z]+-?)?(?:${stems})[a-z]*|${spaces})(?: (?:web|online|en ligne|en linea|intranet|client[ei]?s?|name|id|als|as|per|sous|como|come|jako|som|en tant que))?$`,
);
/** Words for the act of signing in, directly before a name. */
const as = '(?:als|as|como|come|jako|som|en tant que)';
const signedAs = new RegExp(`(?:(?<![a-z])(?:[a-z]+-?)?(?:${stems})[a-z]*|${spaces}) ${as}$`);
const besideAccount =
  /^["'”»]?(?:$|[.,;)!\n\t]| (?:am|um|seit|on|at|since|le|à|depuis|el|desde|il|dal|op|sinds|em|dnia|od)\b| \d)/;
const behindAs = new RegExp(` ${as} ["'“„«]?$`);
/** Words near the name of an account. They do not identify a word as such a name. */
const aboutAccess = new RegExp(
  `${access.source}|(?<![a-z])(?:connexion|conexion|connessione|passwor[dt]|mot de passe|kennwort|contrasena|wachtwoord|haslo|losenord|abgemeldet|gesperrt|locked|(?:printed|created|edited|modified|exported|uploaded|entered|checked|placed) by|(?:gedruckt|erstellt|bearbeitet|erfasst|geandert|exportiert) (?:von|durch)|(?:imprime|cree|modifie|saisi) par|(?:impreso|creado|editado|registrado) por|(?:stampato|creato|inserito|modificato) da|(?:afgedrukt|aangemaakt|gewijzigd|ingevoerd) door|(?:impresso|criado|alterado) por|(?:wydrukowa|utworzy|edytowa|wprowadzi)[a-z]*|bloque|bloccat|geblokkeerd|zablokowan)`,
);
/** Words for access behind a name, in brackets or after a comma. */
const accessBehind = new RegExp(`^["'”»]? ?[(,–-] ?(?:[a-z]+-?)?(?:${stems}|${spaces})`);
/** Words of programs that names of variables and files consist of. */
const technical =
  /^(?:api|args?|async|attrs?|auth|backend|bool|callback|cfg|cmd|config|conf|cookies?|cpu|cron|css|csv|ctx|db|debug|dir|dst|endpoint|enum|env|err|exec|fn|foreign|frontend|fs|func|gid|gpu|hash|hostname|html|https?|idx|impl|init|int|io|ip|json|jwt|kernel|kwargs|ldap|len|lib|max|metadata|middleware|min|mod|msg|num|oauth|obj|params?|password|php|pid|plugin|ptr|pwd|py|rb|redirect|regex|repo|req|res|rfid|resp|retries|retry|rpc|saml|sdk|smtp|sql|src|ssh|ssl|sso|str|struct|sudo|tcp|timeout|timestamp|tls|tmp|tokens?|uid|unix|uri|url|usr|util|utils|uuid|val|var|vec|webhook|xml|yaml)$/;
const maxWords = 5;
const longestLabel = 60;

/** File names are not account names. */
const file =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|md|csv|json|ya?ml|xml|html?|css|[jt]sx?|sql|sh|log|png|jpe?g|tiff?|gif|zip|exe|dll|ini|conf)$/i;

/** Whether a word has a form that account names have and words of a language do not. */
function isHandle(word: string): boolean {
  if (word.length < shortest || (word.match(/\p{L}/gu)?.length ?? 0) < 3) return false;
  const isCapital = word === word.toUpperCase();
  if (/^\p{N}/u.test(word) || file.test(word)) return false;
  if (isCapital && !(word.includes('_') && partsOf(word).every(isUnusual))) return false;
  if (domainScores(word) !== null) return false;
  return (
    /_|\p{L}\.\p{Ll}/u.test(word) ||
    /^\p{Ll}+\p{N}{1,4}$/u.test(word) ||
    (/^\p{Ll}+(?:-[\p{Ll}\p{N}]+)+$/u.test(word) && partsOf(word).every(isUnusual))
  );
}

const partsOf = (word: string): string[] =>
  word
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');

/** Whether a lower-case word is in no list of common words. */
const isUnusual = (word: string): boolean => !isFrequentWord(word) && !isUsualWord(word);

/** Whether a word has a part that is in no list of common words, and no part that programs use. */
export function isOfName(word: string, min = minName): boolean {
  const parts = partsOf(word);
  return (
    parts.some((part) => part.length >= min && isUnusual(part)) &&
    !parts.some((part) => technical.test(part))
  );
}

/**
 * Returns the text before a position in its cell, or in the previous cell, and whether a colon or
 * gap separates it from the position.
 */
function labelBefore(view: TextView, lines: readonly Line[], start: number) {
  const line = lineAt(lines, start);
  const { cells } = lines[line]!;
  const column = cells.findIndex(({ end }) => end > start);
  const cell = cells[column];
  const own = cell ? view.lower.slice(Math.max(cell.start, start - longestLabel), start) : '';
  const before = cells[column - 1];
  const isFirst = own.trim() === '';
  // The label of a value that fills its line may be on the line above.
  const above = cells.length === 1 ? lines[line - 1]?.cells.at(-1) : undefined;
  const label = isFirst ? (before ?? above) : undefined;
  const text = label ? view.lower.slice(label.start, label.end) : own;
  const trimmed = text.trimEnd().replace(/[:="'“„«»(–-]+ *$/, '');
  const phrase = /[^.;!?,()•]*$/.exec(trimmed)?.[0] ?? '';
  return {
    phrase: phrase.trim(),
    isApart: label !== undefined || /[:=] *["'“„«]?$/.test(text),
    isAbove: isFirst && before === undefined,
    start: cell?.start ?? start,
    end: cell?.end ?? start,
  };
}

/** Whether words for access before a name, on its line, indicate an account. */
function isLabelled(view: TextView, lines: readonly Line[], start: number, stop: number): boolean {
  const { phrase, isApart, isAbove, end } = labelBefore(view, lines, start);
  if (phrase === '' || phrase.length > longestLabel || phrase.split(' ').length > maxWords)
    return false;
  if (isAbove && view.text.slice(stop, end).trim() !== '') return false;
  if (!(isApart ? access : nextTo).test(phrase)) return false;
  // In running text about programs, any word may have such a form.
  return (
    /^ ?["'”»]?(?:$|[.,;)!]|\()/.test(view.text.slice(stop, Math.min(end, stop + 3))) ||
    isOfName(view.text.slice(start, stop))
  );
}

/**
 * Whether words for access are near a word that can hardly be anything but an account name, in any
 * place of the same sentence.
 */
function isNearAccess(
  view: TextView,
  lines: readonly Line[],
  start: number,
  stop: number,
): boolean {
  const word = view.text.slice(start, stop);
  if (!/_|\p{L}\.\p{L}+\p{N}/u.test(word) || !isOfName(word, shortest)) return false;
  const own = labelBefore(view, lines, start);
  if (own.isAbove) return false;
  const sentence = /[^.;!?]*$/.exec(
    view.lower.slice(Math.max(own.start, start - longestLabel), start),
  );
  return (
    aboutAccess.test(sentence?.[0] ?? '') ||
    accessBehind.test(view.lower.slice(stop, Math.min(own.end, stop + longestLabel)))
  );
}

/** Whether a word without a sign is an account name: `angemeldet als rfeldhoff`. */
function isSignedAs(view: TextView, lines: readonly Line[], start: number, stop: number): boolean {
  const word = view.text.slice(start, stop);
  if (!/^\p{Ll}+$/u.test(word) || !isOfName(word)) return false;
  // Before a noun, it is an adjective.
  if (!besideAccount.test(view.text.slice(stop, stop + 12))) return false;
  return signedAs.test(labelBefore(view, lines, start).phrase);
}

/** Finds account names whose underscore was read as a space. */
function splitNames(view: TextView, lines: readonly Line[]): PiiFinding[] {
  if (!view.recognised) return [];
  return [...view.text.matchAll(split)].flatMap(({ index, 0: name }): PiiFinding[] => {
    const { phrase } = labelBefore(view, lines, index);
    if (!isOfName(name) || !partsOf(name).every(isUnusual) || !nextTo.test(phrase)) return [];
    const end = view.original(index + name.length - 1) + 1;
    return [{ type: 'PERSONAL_ID', start: view.original(index), end, score }];
  });
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
export function findSignIns(view: TextView, people: readonly string[]): PiiFinding[] {
  const { text, original } = view;
  const lines = linesOf(view);
  const { names, joined } = formsOf(people);
  const found = [...text.matchAll(token)].flatMap(({ index, 0: word }): PiiFinding[] => {
    const stop = index + word.length;
    const isSigned = sign.test(word);
    const isSmall = word === word.toLowerCase();
    const isPlain = !isSigned && !word.includes('-');
    const isBehindAs = isPlain && behindAs.test(view.lower.slice(Math.max(0, index - 16), index));
    const isAny = isPlain ? isSmall && (joined.size > 0 || isBehindAs) : true;
    if (word.length < shortest || !isAny) return [];
    const parts = folded(word)
      .split(/[^a-z]+/)
      .filter((part) => part !== '');
    const isOfPerson = parts.some(
      (part) =>
        (isSigned && names.has(part)) ||
        ((isSigned || (isSmall && !isFrequentWord(part))) && joined.has(part)),
    );
    const isOne = isOfPerson
      ? (isSmall || /[\p{N}_]/u.test(word)) && domainScores(word) === null
      : isPlain
        ? isBehindAs && isSignedAs(view, lines, index, stop)
        : isHandle(word) &&
          (isLabelled(view, lines, index, stop) || isNearAccess(view, lines, index, stop));
    if (!isOne) return [];
    return [{ type: 'PERSONAL_ID', start: original(index), end: original(stop - 1) + 1, score }];
  });
  return [...found, ...splitNames(view, lines)];
}
