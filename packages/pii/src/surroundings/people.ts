import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.6;
const word = "\\p{Lu}[\\p{Ll}\\p{M}'’]{1,30}(?:-\\p{Lu}[\\p{Ll}\\p{M}]{1,30})?";
const linkingWords =
  '(?:(?:von|van|der|den|zu|zur|zum|vom|de|da|do|das|dos|e|del|della|di|la|le|y|ten|ter) ){0,3}';
const names = `(${linkingWords}${word}(?: ${linkingWords}${word}){0,3})`;
const degree =
  '(?:(?:Dr|Prof|Dipl|Ing|Mag|med|jur|rer|nat|phil|Eng|Arq|Dra|Profa?)\\.?(?:[ªº])? ?(?:-\\p{Lu}\\p{Ll}{2}\\.? ?)?){0,4}';

/** Titles and offices, which are not names. */
const office =
  '(?!(?:Senhora?|Doutora?|Engenheir[oa]|Professora?|Presidente|Diretora?|Ministr[oa]|Juiz|Juíza|Deputad[oa]|Doktor|Professor(?:in)?|Präsident(?:in)?|Minister(?:in)?|Vorsitzende[rn]?|Direktor(?:in)?|(?:Ober)?[Bb]ürgermeister(?:in)?|Kolleg(?:e|in)|Richter(?:in)?|Rechtsanw(?:alt|ältin)|Nachbar(?:in)?|Pfarrer(?:in)?|Mutter|Vater|Holle|le|Juge|Maire|Ministre|President|Chair|Speaker)(?![\\p{L}]))';
/**
 * Relatives, occupations and parties, in languages that do not capitalise nouns. A following
 * capital starts a name.
 */
const relativesAndParties =
  'filh[oa]|net[oa]|irmão|irmã|sobrinh[oa]|marido|mulher|esposa|pai|mãe|avô|avó|ti[oa]|cunhad[oa]|genro|nora|sogr[oa]|vizinh[oa]|colega|amig[oa]|namorad[oa]|alun[oa]|paciente|utente|doente|condutora?|testemunha|inquilin[oa]|senhori[oa]|fiadora?|arrendatári[oa]|requerente|arguid[oa]|réu|autora?|advogad[oa]|enfermeir[oa]|médic[oa]|professora?|funcionári[oa]|hij[oa]|niet[oa]|herman[oa]|vecin[oa]|alumn[oa]|fils|fille|frère|sœur|voisine?|collègue|élève|patiente|figli[oa]|fratello|sorella|vicin[oa]|zoon|dochter|broer|zus|buurman|buurvrouw|córka|siostra|sąsiad(?:ka)?|uczeń|uczennica|pacjent(?:ka)?|daughter|brother|nephew|niece|cousin|neighbour|husband|wife|(?<=(?:his|her|their|my|our|your) )(?:son|sister)';
const patterns = [
  // Nouns after a German name are also capitalised, so only the first word is certain.
  `(?<![\\p{L}.])(?:Herrn?|Frau|Fräulein|Hr\\.|Eheleute|Familie) ${degree}${office}(${linkingWords}${word})`,
  `(?<![\\p{L}])(?:${relativesAndParties}),? (?:(?:d[aeo]|d[ao]s|del) )?${degree}${office}${names}`,
].map((pattern) => new RegExp(pattern, 'dgu'));

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
 * Finds names of people after a German form of address, after a relative, occupation or party in languages with lower-case nouns,
 * and before the text of a chat message.
 */
export function findPeople({ text, original }: TextView): PiiFinding[] {
  const findings: PiiFinding[] = [];
  const add = (type: PiiFinding['type'], start: number, end: number): void => {
    findings.push({ type, start: original(start), end: original(end - 1) + 1, score });
  };
  for (const pattern of patterns) {
    for (const { indices } of text.matchAll(pattern)) {
      const [start, end] = indices?.[1] ?? [0, 0];
      if (end > 0) add('PERSON', start, end);
    }
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
