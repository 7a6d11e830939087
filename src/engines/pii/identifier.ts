import { formsFor } from './forms.ts';
import { type Candidate, matches, type Recogniser, wordsOf } from './recogniser.ts';
import { zonesOf } from './zones.ts';

export interface IdentifierOptions {
  /** Forms (see `Form`), each with how sure it is alone and in context. */
  forms: Readonly<Record<string, readonly [alone: number, inContext: number]>>;
  /** Checks what was found, without separators and in upper case: check digits, ranges, dates. */
  valid(identifier: string): boolean;
  context: readonly string[];
  against?: readonly string[];
}

/** A recogniser of an identifier of fixed form, as numbers of the state are. */
export function identifier({ forms, valid, context, against }: IdentifierOptions): Recogniser {
  const compiled = Object.entries(forms).map(([form, [alone, inContext]]) => {
    return { in: formsFor(form), alone, inContext };
  });
  return {
    context: wordsOf(context),
    against: against ? wordsOf(against) : null,
    *candidates(view) {
      for (const { in: formIn, alone, inContext } of compiled) {
        const { pattern, canonical } = formIn(view);
        for (const { from, to } of zonesOf(view)) {
          yield* matches(view.text.slice(from, to), pattern, (match): Candidate | null => {
            const start = from + match.index;
            const end = start + match[0].length;
            if (!canonical(view.text, start, end).some(valid)) return null;
            return { start, end, alone, inContext };
          });
        }
      }
    },
  };
}
