import type { PiiFinding } from './finding.ts';

const kindBefore =
  /(?<![\p{L}])(?:morb[oi]|malatti[ae]|sindrom[ei]|tests? di|maladie|syndrome|enfermedad|síndrome|ziekte|syndroom|test van|chorob[ayę]|zespołu?|morbus|doença|teste de|escala|scala|échelle|signe|segno) (?:(?:di|de|van|von|do|da|of|del?) |d['’])?$/iu;
const kindAfter =
  /^(?:['’]s?)? (?:disease|syndrome|phenomenon|sign|reflex|fracture|score|scale|test|index|law|effect|shift|equation|theorem|algorithm|number|constant|distribution|transform|interferometer|stain|tube|gauge|screwdriver|wrench|spanner|key|knife|bit|cell|cycle|motor|engine|valve|catheter|procedure|method|phänomen|syndrom|krankheit|zeichen|skala|schlüssel)(?:s|es)?(?!\p{L})/u;
const maxLength = 24;

/**
 * Whether a name is part of the name of a disease, law or tool: `morbo di Crohn`, `Raynaud
 * phenomenon`.
 */
function isEponym(text: string, { type, start, end }: PiiFinding): boolean {
  if (type !== 'PERSON' || / /.test(text.slice(start, end))) return false;
  return (
    kindBefore.test(text.slice(Math.max(0, start - maxLength), start)) ||
    kindAfter.test(text.slice(end, end + maxLength))
  );
}

/** Removes names that are part of the names of things. */
export const withoutEponyms = (text: string, findings: readonly PiiFinding[]): PiiFinding[] =>
  findings.filter((finding) => !isEponym(text, finding));
