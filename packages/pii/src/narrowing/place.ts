/** New York and Washington are cities too, and stay on neither list. */
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

/** The languages whose names of countries are known. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'cs'];

/** Names that are kept, as letters only. */
let wide: ReadonlySet<string> | undefined;

const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
    .replace(/^the/, '');

function wideNames(): ReadonlySet<string> {
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

/** Whether a place is smaller than a state of the US, or unknown. */
export function isSmallerThanState(found: string): boolean {
  wide ??= wideNames();
  return !wide.has(lettersOf(found));
}
