import { formReader } from './forms.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from './recogniser.ts';
import { zonesOf } from './zones.ts';

interface IdentifierOptions {
  /**
   * The forms (see `CompiledForm`), each with its score alone and in context. A form without a
   * check digit, or with a check digit that many numbers pass, has a score below the default
   * confidence on its own.
   */
  forms: Readonly<
    Record<string, readonly [alone: number, inContext: number, specific?: 'specific']>
  >;
  /** Validates a match, without separators and in upper case, by check digits, ranges and dates. */
  isValid(identifier: string): boolean;
  context: readonly string[];
  against?: readonly string[];
}

/** Returns a recogniser for identifiers of fixed form, such as national numbers. */
export function identifierRecogniser({
  forms,
  isValid,
  context,
  against,
}: IdentifierOptions): PiiRecogniser {
  const compiled = Object.entries(forms).map(([form, [alone, inContext, kind]]) => {
    return { in: formReader(form), alone, inContext, specific: kind !== undefined };
  });
  return {
    context: contextWords(context),
    against: against ? contextWords(against) : null,
    *candidates(view) {
      for (const { in: formIn, alone, inContext, specific } of compiled) {
        const { pattern, canonical } = formIn(view);
        for (const { from, to } of zonesOf(view)) {
          yield* matches(view.text.slice(from, to), pattern, (match): PiiCandidate | null => {
            const start = from + match.index;
            const end = start + match[0].length;
            if (!canonical(view.text, start, end).some(isValid)) return null;
            return { start, end, alone, inContext, specific };
          });
        }
      }
    },
  };
}
