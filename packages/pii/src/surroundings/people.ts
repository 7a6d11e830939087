import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.6;
const word = "\\p{Lu}[\\p{Ll}\\p{M}'’]{1,30}(?:-\\p{Lu}[\\p{Ll}\\p{M}]{1,30})?";
const linkingWords =
  '(?:(?:von|van|der|den|zu|zur|zum|vom|de|da|do|das|dos|e|del|della|di|la|le|y|ten|ter) ){0,3}';
const names = `(${linkingWords}${word}(?: ${linkingWords}${word}){0,3})`;
const degree =
  '(?:(?:Dr|Prof|Dipl|Ing|Mag|med|jur|rer|nat|phil|Eng|Arq|Dra|Profa?)\\.?(?:[ªº])? ?(?:-\\p{Lu}\\p{Ll}{2}\\.? ?)?){0,4}';

/** Forms of address, which precede a name. */
const germanAddress = '(?:Herrn?|Frau|Fräulein|Hr\\.|Eheleute|Familie)';
const formsOfAddress = [
  '(?:[Ss]r|[Ss]ra|[Ss]rta|[Ss]ras|[Ss]rs|[Ee]xm[oa])\\.?(?:[ªº])?',
  '(?:[Ss]enhora?|[Dd]ona|[Dd]oña|[Ss]ignora|[Mm]onsieur|[Mm]adame|[Mm]evrouw|[Mm]eneer|[Pp]ani|pana?)',
  '(?:Mr|Mrs|Ms|Mx|Mme|Mlle)\\.?',
  '(?:Mevr|mevr|Dhr|dhr|Sig|Sigra|Dott)\\.',
].join('|');
/** Titles and offices after forms of address. */
const office =
  '(?!(?:Senhora?|Doutora?|Engenheir[oa]|Professora?|Presidente|Diretora?|Ministr[oa]|Juiz|Juíza|Deputad[oa]|Doktor|Professor(?:in)?|Präsident(?:in)?|Minister(?:in)?|Vorsitzende[rn]?|Direktor(?:in)?|(?:Ober)?[Bb]ürgermeister(?:in)?|Kolleg(?:e|in)|Richter(?:in)?|Rechtsanw(?:alt|ältin)|Nachbar(?:in)?|Pfarrer(?:in)?|Mutter|Vater|Holle|le|Juge|Maire|Ministre|President|Chair|Speaker)(?![\\p{L}]))';
/**
 * Relatives, occupations and parties, in languages that do not capitalise nouns. A following
 * capital starts a name.
 */
const relativesAndParties =
  'filh[oa]|net[oa]|irmão|irmã|sobrinh[oa]|marido|mulher|esposa|pai|mãe|avô|avó|ti[oa]|cunhad[oa]|genro|nora|sogr[oa]|vizinh[oa]|colega|amig[oa]|namorad[oa]|alun[oa]|paciente|utente|doente|condutora?|testemunha|inquilin[oa]|senhori[oa]|fiadora?|arrendatári[oa]|requerente|arguid[oa]|réu|autora?|advogad[oa]|enfermeir[oa]|médic[oa]|professora?|funcionári[oa]|hij[oa]|niet[oa]|herman[oa]|vecin[oa]|alumn[oa]|fils|fille|frère|sœur|voisine?|collègue|élève|patiente|figli[oa]|fratello|sorella|vicin[oa]|zoon|dochter|broer|zus|buurman|buurvrouw|córka|siostra|sąsiad(?:ka)?|uczeń|uczennica|pacjent(?:ka)?|daughter|brother|nephew|niece|cousin|neighbour|husband|wife|(?<=(?:his|her|their|my|our|your) )(?:son|sister)';
/** Words for relatives that several names may follow: `my children Juniper and Tito`. */
const relativesInPlural =
  'children|kids|sons|daughters|twins|siblings|grandchildren|Kinder[n]?|Söhnen?|Töchtern?|Zwillingen?|Enkeln?|enfants|filles|jumeaux|hij[oa]s|gemel[ao]s|figli[e]?|gemelli|kinderen|zonen|dochters|tweeling|filh[oa]s|gême[ao]s|dzieci|synowie|córki';
/**
 * Words that mean asking for a person, in languages in which nouns start with a lower-case letter.
 */
const askingFor =
  '[Vv]ra(?:ag|gen) naar|[Pp]regunt(?:ar|e|en|ad) por|[Cc]hie(?:dere|da|di|dete) di|[Pp]ergunt(?:ar|e|em) (?:por|pelo|pela)|[Pp]ytać o';
const conjunction = '(?:,? (?:and|und|et|y|e|en|i) |, )';
const severalNames = new RegExp(
  `(?<![\\p{L}])(?:${relativesInPlural}),? (${word}(?:${conjunction}${word}){1,6})(?![\\p{L}])`,
  'dgu',
);
const conjunctionPattern = new RegExp(conjunction, 'gu');
const patterns = [
  // Nouns after a German name are also capitalised, so only the first word is certain.
  `(?<![\\p{L}.])${germanAddress} ${degree}${office}(${linkingWords}${word})`,
  `(?<![\\p{L}.])(?:(?:${formsOfAddress}) ){1,3}${degree}${office}${names}`,
  `(?<![\\p{L}])(?:${relativesAndParties}),? (?:(?:d[aeo]|d[ao]s|del) )?${degree}${office}${names}`,
  `(?<![\\p{L}])(?:${askingFor}) ${office}${names}`,
  `(?<![\\p{L}])(?:Ehepaar|Eheleute|[Cc]asal|[ÉéEe]poux|[Cc]oniugi|[Mm]atrimonio) (${word} (?:und|e|et|y) ${word}(?: ${linkingWords}${word}){0,2})`,
].map((pattern) => new RegExp(pattern, 'dgu'));

/** The end of a message: a farewell in lower case, followed by a name alone. */
const farewell =
  /(?<![\p{L}])(?:bjo?s?|beijos|beijinhos|abraços?|abs|besos|saludos|un abrazo|lg|vg|glg|mfg|gruß|grüße|liebe grüße|viele grüße|bussi|bises|biz|bisous|cheers|xx|groetjes|gr|pozdrawiam|pozdro|kram|baci|ciao)(?: d[aeo])?[,!]? ([\p{L}][\p{Ll}]{1,15})(?=[ .!:)xX;-]*(?:$|\n))/dgimu;
/** Words in the same position that are not names. */
const nonNames =
  /^(?:und|aus|an|von|euch|dir|alle|allen|allerseits|zusammen|zurück|bis|dann|morgen|para|pra|todos|todas|grande|grandes|para|você|voce|mate|all|everyone|guys|tutti|tous|toutes|allemaal|iedereen|wszystkim|alla|till|senhor|senhora|doutor|doutora|engenheiro|herr|frau|doktor|professor|professora|the|and)$/iu;

/** The author in a chat: `[09:12] tommo:`, `14:02 - mareike.b:`, `12.03.24, 14:02 - flo_87:`. */
const day = '(?:\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4},? )?';
const speaker = new RegExp(
  `^(?:\\[${day}\\d{1,2}[:.]\\d{2}(?:[:.]\\d{2})?(?: ?[AP]M)?\\] ?|${day}\\d{1,2}[:.]\\d{2}(?: ?[AP]M)? ?- ?)<?@?([\\p{L}][\\p{L}\\p{N}_.-]{1,30})(?:>|:)(?= )`,
  'dgmiu',
);
/** Whether a name cannot be an item of an agenda. */
const isHandle = (name: string): boolean => /[\d_.]/.test(name) || name === name.toLowerCase();
/** Senders that are not people, and words of logs. */
const nonPersonSenders =
  /^(?:system|bot|agent|support|service|server|admin|administrator|dispatch|dispatcher|control|user|client|kunde|info|warn|warning|error|debug|trace|fatal|notice|note|update|start|end|stop|status|lunch|break|meeting|host|moderator|operator|reception|helpdesk|zentrale|leitstelle|suporte|atendimento|atendente|soporte|cliente|utilizador|todo|q|a)$/iu;
const minLines = 2;

/**
 * Finds names of people after words for asking for a person, after a form of address, after a
 * relative, occupation or party in languages with lower-case nouns, after a farewell, and before
 * the text of a chat message.
 */
export function findPeople({ text, original }: TextView): PiiFinding[] {
  const findings: PiiFinding[] = [];
  const add = (type: PiiFinding['type'], start: number, end: number): void => {
    findings.push({ type, start: original(start), end: original(end - 1) + 1, score });
  };
  for (const pattern of [...patterns, farewell]) {
    for (const { indices } of text.matchAll(pattern)) {
      const [start, end] = indices?.[1] ?? [0, 0];
      if (end > 0 && !nonNames.test(text.slice(start, end))) add('PERSON', start, end);
    }
  }
  for (const { indices } of text.matchAll(severalNames)) {
    const [from, end] = indices?.[1] ?? [0, 0];
    let start = from;
    for (const { index, 0: gap } of text.slice(from, end).matchAll(conjunctionPattern)) {
      add('PERSON', start, from + index);
      start = from + index + gap.length;
    }
    add('PERSON', start, end);
  }
  const lines = [...text.matchAll(speaker)];
  if (lines.length < minLines) return findings;
  const lineCounts = new Map<string, number>();
  for (const { 1: name = '' } of lines) lineCounts.set(name, (lineCounts.get(name) ?? 0) + 1);
  for (const { indices, 1: name = '' } of lines) {
    const [start, end] = indices?.[1] ?? [0, 0];
    const isWriter = isHandle(name) || lineCounts.get(name)! >= minLines;
    if (isWriter && !nonPersonSenders.test(name)) add('PERSON', start, end);
  }
  return findings;
}
