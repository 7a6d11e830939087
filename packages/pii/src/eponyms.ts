import type { PiiFinding } from './finding.ts';

const kindBefore =
  /(?<![\p{L}])(?:morb[oi]|malatti[ae]|sindrom[ei]|tests? di|maladie|syndrome|enfermedad|síndrome|ziekte|syndroom|test van|chorob[ayę]|zespołu?|morbus|doença|teste de|escala|scala|échelle|signe|segno) (?:(?:di|de|van|von|do|da|of|del?) |d['’])?$/iu;
const kindAfter =
  /^(?:['’]s?)? (?:disease|syndrome|phenomenon|sign|reflex|fracture|score|scale|test|index|law|effect|shift|equation|theorem|algorithm|number|constant|distribution|transform|interferometer|stain|tube|gauge|screwdriver|wrench|spanner|key|knife|bit|cell|cycle|motor|engine|valve|catheter|procedure|method|phänomen|syndrom|krankheit|zeichen|skala|schlüssel)(?:s|es)?(?!\p{L})/u;
/** Kinds of things that are also called by the first and last name of a person. */
const honouring =
  /^ (?:airport|stadium|arena|prize|award|trophy|cup|memorial|monument|vaccine)s?(?!\p{L})/u;
/** What is called after a saint: `St John's wort`. */
const ofSaint = /^(?:St\.?|Saint) \p{Lu}\p{L}+['’]s? \p{L}/u;
const titleBefore = /(?<!\p{L})(?:M[rsx]s?|Dr|Miss|Sir|Lord|Lady)\.? $/u;
const offices = /^(?:(?:Dalai|Panchen) Lama|Aga Khan)$/u;
const maxLength = 24;

/**
 * Whether a name is an office or a part of the name of a disease, law, tool, plant or building:
 * `morbo di Crohn`, `Raynaud phenomenon`, `the Dalai Lama`.
 */
function isEponym(text: string, { type, start, end }: PiiFinding): boolean {
  if (type !== 'PERSON') return false;
  const name = text.slice(start, end);
  const before = text.slice(Math.max(0, start - maxLength), start);
  const after = text.slice(end, end + maxLength);
  if (offices.test(name) || honouring.test(after)) return true;
  if (ofSaint.test(name + after)) return !titleBefore.test(before);
  return !/ /.test(name) && (kindBefore.test(before) || kindAfter.test(after));
}

/** Removes names that are part of the names of things. */
export const withoutEponyms = (text: string, findings: readonly PiiFinding[]): PiiFinding[] =>
  findings.filter((finding) => !isEponym(text, finding));
