import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.7;
const particles = '(?:(?:von|van|de|del|della|di|da|do|dos|den|der|ten|ter|zu|la|le|el|st|St) ){0,3}';
const family = "(?:\\p{Lu}['’])?\\p{Lu}[\\p{L}\\p{M}'’]{1,30}(?:[ -]\\p{Lu}[\\p{L}\\p{M}'’]{1,30}){0,2}";
const given = "\\p{Lu}(?:[\\p{L}\\p{M}'’-]{1,30}|\\.)?(?:[ -]?\\p{Lu}(?:[\\p{L}\\p{M}'’]{1,30}|\\.)?){0,3}";
const item = `${particles}${family}, ?${given}`;
/** Three or more inverted names between semicolons: `Whitlock, A.; Oakes, B.; Quill, T. M.` */
const list = new RegExp(`(?<![\\p{L}\\p{N}])${item}(?:; ?(?:and |und |et |y |e |en |i )?${item}){2,60}`, 'gu');
const part = new RegExp(item, 'gu');

/** Finds all names of a list of inverted names of which at least half are known to be of people. */
export function invertedNames(
  { text, original }: TextView,
  people: readonly PiiFinding[],
): PiiFinding[] {
  return [...text.matchAll(list)].flatMap(({ index, 0: found }): PiiFinding[] => {
    const names = [...found.matchAll(part)].map(
      ({ index: at, 0: name }): PiiFinding => ({
        type: 'PERSON',
        start: original(index + at),
        end: original(index + at + name.length - 1) + 1,
        score,
      }),
    );
    const known = names.filter((name) =>
      people.some(({ start, end }) => start < name.end && end > name.start),
    );
    return known.length * 2 >= names.length ? names : [];
  });
}
