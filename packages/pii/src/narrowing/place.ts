/** US states. New York and Washington are also cities, so they are not included. */
const states = `
  alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii
  idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan
  minnesota mississippi missouri montana nebraska nevada newhampshire newjersey newmexico
  northcarolina northdakota ohio oklahoma oregon pennsylvania rhodeisland southcarolina southdakota
  tennessee texas utah vermont virginia westvirginia wisconsin wyoming newyorkstate
  washingtonstate stateofnewyork stateofwashington
  us usa uk england scotland wales greatbritain america northamerica southamerica latinamerica
  africa asia europe europeanunion eu
`;

/** The languages for which names of countries are available. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'cs'];

/** Names of countries and states, reduced to letters. These places are not reported. */
let wideAreas: ReadonlySet<string> | undefined;

const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
    .replace(/^the/, '');

function readWideAreas(): ReadonlySet<string> {
  const names = new Set(states.trim().split(/\s+/));
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  for (const language of languages) {
    const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const first of letters) {
      for (const second of letters) {
        const name = regions.of(first + second);
        if (name) names.add(lettersOf(name));
      }
    }
  }
  return names;
}

/** Whether a place is smaller than a US state, or unknown. */
export function isSmallerThanState(place: string): boolean {
  wideAreas ??= readWideAreas();
  return !wideAreas.has(lettersOf(place));
}
