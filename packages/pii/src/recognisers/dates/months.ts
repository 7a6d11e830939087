/**
 * Names of months, without accents, in the languages of the tagger. Polish names are in the form
 * that follows a day.
 */
const names = [
  'january jan januar janner janvier janv enero ene gennaio gen januari janeiro stycznia',
  'february feb februar feber fevrier fevr fev febrero febbraio februari fevereiro lutego',
  'march mar marz mrz maerz mars marzo maart mrt marco marca',
  'april apr avril avr abril abr aprile kwietnia',
  'may mai mayo maggio mag mei maio maja',
  'june jun juni juin junio giugno giu junho czerwca',
  'july jul juli juillet juil julio luglio lug julho lipca',
  'august aug aout agosto ago augustus sierpnia',
  'september sept sep septembre septiembre setiembre settembre set setembro wrzesnia',
  'october oct oktober okt octobre octubre ottobre ott outubro pazdziernika',
  'november nov novembre noviembre novembro listopada',
  'december dec dezember dez decembre diciembre dic dicembre dezembro grudnia',
].join(' ');

/** The names as alternatives of a regular expression, longest first. */
export const months = [...new Set(names.split(' '))].sort((a, b) => b.length - a.length).join('|');

/** Minimum length of a name that is recognised with a wrong letter. */
const minMisread = 4;
const byLength = new Map<number, string[]>();
for (const name of new Set(names.split(' '))) {
  if (name.length < minMisread) continue;
  byLength.set(name.length, [...(byLength.get(name.length) ?? []), name]);
}

/** Returns the month that differs from a word by at most one letter. Both have the same length. */
export function misreadMonth(word: string): string | undefined {
  const differing = (name: string): number =>
    [...name].filter((letter, at) => letter !== word[at]).length;
  return byLength.get(word.length)?.find((name) => differing(name) <= 1);
}

/** Days of the week in the same languages, in full or abbreviated as before dates. */
export const weekdayNames = [
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day',
  'mon|tue|wed|thu|fri|sat|sun',
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so',
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche',
  'lunes|martes|miercoles|jueves|viernes|sabado|domingo',
  '(?:lune|marte|mercole|giove|vener)di|domenica|sabato',
  '(?:maan|dins|woens|donder|vrij|zater|zon)dag',
].join('|');
