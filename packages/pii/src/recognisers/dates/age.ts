import { withCorrectedDigits } from '../../confusions.ts';
import { matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';

/** Phrases in `TextView.lower`, without accents. `#` is the age. */
const phrases: readonly (readonly [phrase: string, score: number])[] = [
  ['#[ -]?(?:years?|yrs?|months?|weeks?|days?)[ -]?old', 0.95],
  ['# ?(?:years?|yrs?) of age', 0.95],
  ['# ?(?:y/o|y\\.o\\.|yo|yr/o)', 0.9],
  // For a list of patients: "Kamau, 41 yrs, nil by mouth".
  ['(?<=[a-z][,;(] ?)# ?(?:yrs?|y|ys|yo)(?= ?[,;.)])', 0.55],
  ['(?:aged|age[ds]? ?(?:of|is|:|=)?|at the age of|age group)[ :]{0,2}#', 0.85],
  ['(?:turned|turning|turns)(?: the age of)? #', 0.8],
  [
    "(?:i'm|i am|he's|he is|she's|she is|they are|who is|who's|is now|was) (?:now |only |just )?#(?= ?(?:[.,;!?)]|$|and (?:i|he|she)|years?))",
    0.55,
  ],
  ['#[ -]?jahrige[nrsm]?', 0.95],
  ['# ?jahre? alt', 0.95],
  ['(?:im alter von|alter:?|alter von) #', 0.9],
  ['(?:age|agee|agees) de # ?ans', 0.95],
  ["(?:a l'age de|age ?:) #", 0.9],
  ["# ans(?![a-z])(?! (?:de (?!plus)|d'))", 0.5],
  ['(?:edad ?:?|edad de|tiene|cumplio|cumple) #', 0.8],
  ['# anos (?:de edad)', 0.95],
  ['(?:de )# anos(?![a-z])(?! de)', 0.55],
  ['# anni (?:di eta|compiuti)', 0.95],
  ["(?:eta ?:?|eta di|all'eta di|compiuto) #", 0.85],
  ['(?:di )# anni(?![a-z])(?! di)', 0.55],
  ['# jaar oud', 0.95],
  ['#-jarige', 0.95],
  ['(?:leeftijd ?:?|leeftijd van) #', 0.85],
];

const compiled = phrases.map(([phrase, score]) => ({
  pattern: new RegExp(
    `(?<![a-z0-9])${phrase.replace('#', '(?<age>(?<![0-9.,/-])1?\\d{1,2})(?![0-9]|[.,/]\\d)')}(?![a-z0-9])`,
    'dg',
  ),
  score,
}));

export const age: PiiRecogniser = {
  context: null,
  against: null,
  *candidates(view) {
    const numbers = withCorrectedDigits(view);
    const text = view.recognised
      ? view.lower.replace(/[a-z0-9|!]+/g, (word, at: number) => {
          const corrected = numbers.slice(at, at + word.length);
          return /^\d+$/.test(corrected) ? corrected : word;
        })
      : view.lower;
    for (const { pattern, score } of compiled) {
      yield* matches(text, pattern, (match): PiiCandidate | null => {
        const [start, end] = match.indices?.groups?.age ?? [0, 0];
        if (Number(match.groups?.age) > 125) return null;
        return { start, end, alone: score, inContext: score };
      });
    }
  },
};
