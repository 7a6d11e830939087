import type { City } from './lists.ts';
import type { People } from './people.ts';
import type { Random } from './random.ts';
import { states, stems, streetForms } from './words/streets.ts';

/** The address format of a country. */
interface Format {
  codes: readonly string[];
  share: number;
  stems: readonly string[];
  forms: readonly string[];
  /** How often the stem is the name of a person. */
  named: number;
  number: 'before' | 'after' | 'comma' | 'dot';
  zip: readonly string[];
  /** Z zip, C city, S state. */
  place: readonly string[];
  units: readonly string[];
  states?: readonly string[];
}

const euroUnits = [
  '',
  '',
  '',
  '',
  '## em',
  'lgh ####',
  '#. sal',
  '2. tv',
  'Stiege #',
  'Whg. ##',
  'Apt. ###',
  'bus #',
  'Top #',
  'm. ##',
  'byt ##',
  'kv. ##',
];
const angloUnits = [
  'Apt. ###',
  'Apt ##',
  'Apt #?',
  'Suite ###',
  'Suite ####',
  'Ste ##',
  'Unit #',
  'Unit ##?',
  '#!##',
  'Floor #',
  'Flat #',
  'Flat #?',
  'Room ###',
  'Bldg #',
  'Building ?',
  'Level ##',
  '##th Floor',
  'Lot ##',
  'Penthouse',
];

const formats: readonly Format[] = [
  {
    codes: ['US', 'PR', 'GU', 'PH', 'LR'],
    share: 22,
    stems: stems.english,
    forms: streetForms.us,
    named: 0.35,
    number: 'before',
    zip: ['#####', '#####', '#####-####'],
    place: ['C, S Z', 'C, S Z', 'C S Z', 'C, S, Z', 'C\n, S\n Z'],
    units: angloUnits,
    states: states.US,
  },
  {
    codes: ['GB', 'IE', 'GI', 'MT', 'JE'],
    share: 9,
    stems: stems.english,
    forms: streetForms.uk,
    named: 0.3,
    number: 'before',
    zip: ['??# #??', '??## #??', '?# #??', '?## #??', '??#? #??'],
    place: ['C Z', 'C, Z', 'C\nZ', 'C\nS\nZ', 'C, S Z'],
    units: angloUnits,
    states: states.GB,
  },
  {
    codes: ['AU', 'NZ', 'FJ', 'PG', 'ZA'],
    share: 9,
    stems: stems.english,
    forms: streetForms.uk,
    named: 0.4,
    number: 'before',
    zip: ['####'],
    place: ['C S Z', 'C, S Z', 'C Z', 'C S, Z'],
    units: angloUnits,
    states: states.AU,
  },
  {
    codes: ['CA'],
    share: 4,
    stems: stems.english,
    forms: streetForms.us,
    named: 0.35,
    number: 'before',
    zip: ['?#? #?#', '?#?#?#'],
    place: ['C, S Z', 'C S Z', 'C, S  Z'],
    units: angloUnits,
    states: states.CA,
  },
  {
    codes: ['IN', 'PK', 'BD', 'LK', 'NP', 'KE', 'NG', 'GH', 'UG', 'MY', 'SG', 'HK'],
    share: 4,
    stems: stems.indian,
    forms: streetForms.uk,
    named: 0.5,
    number: 'before',
    zip: ['######', '### ###', '#####'],
    place: ['C Z', 'C - Z', 'C-Z', 'C, S Z', 'C S Z'],
    units: angloUnits,
    states: states.IN,
  },
  {
    codes: ['DE', 'DE', 'DE', 'AT', 'CH', 'LI'],
    share: 8,
    stems: stems.german,
    forms: streetForms.german,
    named: 0.35,
    number: 'after',
    zip: ['#####', '#####', '####', 'D-#####', 'A-####', 'CH-####'],
    place: ['Z C'],
    units: euroUnits,
  },
  {
    codes: ['FR', 'FR', 'BE', 'LU', 'CH', 'MC', 'SN', 'CI', 'MA', 'TN', 'CA'],
    share: 7,
    stems: stems.romance,
    forms: streetForms.french,
    named: 0.35,
    number: 'before',
    zip: ['#####', '#####', '####', 'F-#####', 'B-####'],
    place: ['Z C', 'Z C', 'Z C CEDEX'],
    units: euroUnits,
  },
  {
    codes: ['IT', 'SM'],
    share: 6,
    stems: stems.italian,
    forms: streetForms.italian,
    named: 0.45,
    number: 'after',
    zip: ['#####'],
    place: ['Z C', 'Z-C S', 'Z C S', 'Z C (S)'],
    units: euroUnits,
    states: states.IT,
  },
  {
    codes: ['ES', 'ES', 'MX', 'AR', 'CL', 'CO', 'PE', 'UY', 'EC', 'VE', 'CR'],
    share: 6,
    stems: stems.spanish,
    forms: streetForms.spanish,
    named: 0.4,
    number: 'comma',
    zip: ['#####', '####', '?####'],
    place: ['Z C', 'Z C (S)', 'C, S', 'Z C, S'],
    units: [...euroUnits, '#º ?', 'piso #', 'Col. Centro'],
    states: states.ES,
  },
  {
    codes: ['BR', 'PT', 'AO', 'MZ'],
    share: 6,
    stems: stems.portuguese,
    forms: streetForms.portuguese,
    named: 0.45,
    number: 'comma',
    zip: ['#####-###', '####-###', '#####-###'],
    place: ['C-S\nZ', 'C - S, Z', 'Z C', 'C/S Z', 'Z C - S'],
    units: [...euroUnits, 'Apto ##', 'Sala ###', 'Bloco ?', '#º Esq.'],
    states: states.BR,
  },
  {
    codes: ['NL', 'NL', 'BE', 'SR'],
    share: 6,
    stems: stems.german,
    forms: streetForms.dutch,
    named: 0.7,
    number: 'after',
    zip: ['#### ??', '####??', '####'],
    place: ['Z C', 'Z  C'],
    units: euroUnits,
  },
  {
    codes: ['DK', 'GL', 'FO'],
    share: 6,
    stems: stems.nordic,
    forms: streetForms.danish,
    named: 0.2,
    number: 'after',
    zip: ['####', 'DK-####', '####'],
    place: ['Z C'],
    units: euroUnits,
  },
  {
    codes: ['NO', 'SJ'],
    share: 6,
    stems: stems.nordic,
    forms: streetForms.norwegian,
    named: 0.3,
    number: 'after',
    zip: ['####', 'N-####', '####'],
    place: ['Z C'],
    units: euroUnits,
  },
  {
    codes: ['SE'],
    share: 6,
    stems: stems.nordic,
    forms: streetForms.swedish,
    named: 0.25,
    number: 'after',
    zip: ['### ##', 'SE-### ##', '#####'],
    place: ['Z C', 'Z  C'],
    units: euroUnits,
  },
  {
    codes: ['FI', 'AX'],
    share: 5,
    stems: stems.finnish,
    forms: streetForms.finnish,
    named: 0.2,
    number: 'after',
    zip: ['#####', 'FI-#####', '#####'],
    place: ['Z C'],
    units: [...euroUnits, '? ##', 'as. ##'],
  },
  {
    codes: ['IS'],
    share: 3,
    stems: stems.icelandic,
    forms: streetForms.icelandic,
    named: 0,
    number: 'after',
    zip: ['###'],
    place: ['Z C'],
    units: euroUnits,
  },
  {
    codes: ['EE'],
    share: 3,
    stems: stems.estonian,
    forms: streetForms.estonian,
    named: 0.2,
    number: 'after',
    zip: ['#####'],
    place: ['Z C', 'C Z'],
    units: euroUnits,
  },
  {
    codes: ['LV', 'LT'],
    share: 2,
    stems: stems.estonian,
    forms: streetForms.baltic,
    named: 0.5,
    number: 'after',
    zip: ['LV-####', 'LT-#####'],
    place: ['C, Z', 'Z C'],
    units: euroUnits,
  },
  {
    codes: ['PL'],
    share: 6,
    stems: stems.polish,
    forms: streetForms.polish,
    named: 0.25,
    number: 'after',
    zip: ['##-###'],
    place: ['Z C'],
    units: [...euroUnits, 'm. #', 'lok. ##'],
  },
  {
    codes: ['CZ', 'SK'],
    share: 6,
    stems: stems.slavic,
    forms: streetForms.czech,
    named: 0.3,
    number: 'after',
    zip: ['### ##', '#####'],
    place: ['Z C', 'Z  C', 'Z C #'],
    units: euroUnits,
  },
  {
    codes: ['SI', 'HR', 'RS', 'BA', 'ME', 'MK'],
    share: 6,
    stems: stems.south,
    forms: streetForms.south,
    named: 0.25,
    number: 'after',
    zip: ['####', '#####'],
    place: ['Z C'],
    units: euroUnits,
  },
  {
    codes: ['HU'],
    share: 6,
    stems: stems.hungarian,
    forms: streetForms.hungarian,
    named: 0.3,
    number: 'dot',
    zip: ['####'],
    place: ['C\nZ', 'Z C', 'C, Z', 'Z C,'],
    units: ['', '', '', '#. em. #', 'fszt. #', '#/#', 'III. em. ##. ajtó'],
  },
  {
    codes: ['RO', 'MD', 'BG', 'AL'],
    share: 3,
    stems: stems.romance,
    forms: streetForms.romanian,
    named: 0.7,
    number: 'comma',
    zip: ['######', '####'],
    place: ['C Z', 'Z C'],
    units: ['', 'bl. ?#, sc. ?, ap. ##', 'ap. ##', 'et. #'],
  },
  {
    codes: ['GR', 'CY'],
    share: 4,
    stems: stems.greek,
    forms: streetForms.greek,
    named: 0,
    number: 'after',
    zip: ['### ##', '####', '#####'],
    place: ['Z C', 'C Z'],
    units: [],
  },
  {
    codes: ['CY', 'GR'],
    share: 4,
    stems: stems.greekLatin,
    forms: streetForms.greekLatin,
    named: 0.2,
    number: 'after',
    zip: ['####', '### ##'],
    place: ['Z C', 'C Z', 'C, Z'],
    units: angloUnits,
  },
  {
    codes: ['RU', 'BY', 'KZ'],
    share: 1,
    stems: stems.russian,
    forms: streetForms.russian,
    named: 0,
    number: 'comma',
    zip: ['######'],
    place: ['Z, C', 'C, Z'],
    units: ['кв. ##', 'корп. #'],
  },
  {
    codes: ['RU', 'UA', 'BY', 'KZ', 'GE', 'AM', 'UZ'],
    share: 3,
    stems: stems.russianLatin,
    forms: streetForms.russianLatin,
    named: 0.3,
    number: 'after',
    zip: ['######', '#####'],
    place: ['C Z', 'Z C', 'C, Z'],
    units: ['apt. ##', 'kv. ##', 'bld. #'],
  },
  {
    codes: ['TR', 'AZ'],
    share: 2,
    stems: stems.turkish,
    forms: streetForms.turkish,
    named: 0.3,
    number: 'after',
    zip: ['#####'],
    place: ['Z C', 'Z S/C'],
    units: ['D:#', 'Kat # D. ##', 'Daire #'],
  },
  {
    codes: ['VN', 'TH', 'ID', 'JP', 'KR', 'CN', 'IR', 'EG', 'SA', 'TN'],
    share: 3,
    stems: stems.english,
    forms: [
      ...streetForms.vietnamese,
      '* Road',
      '* Street',
      'Soi *',
      'Jl. *',
      'Jalan *',
      '*-cho',
      '*-gil',
      '* St.',
    ],
    named: 0.7,
    number: 'before',
    zip: ['#####', '######', '###-####'],
    place: ['C Z', 'C, Z', 'C-shi, Z'],
    units: angloUnits,
  },
];

export interface Address {
  street: string;
  /** A flat, floor or suite; often empty. */
  unit: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  /** The country's format for the line with city, state and zip code. */
  place: string;
}

export interface Places {
  cities: Map<string, City[]>;
  /** Several spellings, by ISO code. */
  countries: Map<string, string[]>;
}

const weightedFormats = formats.map((format) => [format.share, format] as const);

/** An address, in a country if given. */
export function somewhere(
  random: Random,
  places: Places,
  people: People,
  country?: string,
): Address {
  const format = country
    ? formats.find(({ codes }) => codes.includes(country))!
    : random.weighted(weightedFormats);
  const known = format.codes.filter((code) => places.cities.has(code));
  const code = country ?? random.pick(known);
  const local = places.cities.get(code)!;
  let city = random.pick(local).name;
  if (random.chance(0.12)) city = city.toUpperCase();
  const state = random.pick(format.states ?? states.US);
  const zip = random.pattern(random.pick(format.zip));
  const place = random
    .pattern(random.pick(format.place))
    .replace(/\b[ZCS]\b/g, (part) => (part === 'Z' ? zip : part === 'C' ? city : state));
  return {
    street: streetLine(random, format, people, local),
    unit: random.chance(0.4)
      ? random.pattern(random.pick(format.units.length ? format.units : ['']))
      : '',
    city,
    state,
    zip,
    country: random.pick(places.countries.get(code) ?? ['Germany']),
    place,
  };
}

function streetLine(random: Random, format: Format, people: People, local: City[]): string {
  const name = streetName(random, format, people, local);
  const number = random.pattern(
    random.weighted([
      [30, '!#'],
      [22, '!'],
      [22, '!##'],
      [14, '!###'],
      [4, '!#?'],
      [2, '!####'],
      [2, '!#-!#'],
      [2, '!#/#'],
      [1, '!# ?'],
    ]),
  );
  const cased = random.chance(0.4) ? number : number.toLowerCase();
  if (format.number === 'before') {
    const direction = random.chance(0.04)
      ? ` ${random.pick(['N', 'S', 'NE', 'SW', 'West', 'East'])}`
      : '';
    return `${cased}${random.chance(0.06) ? ',' : ''} ${name}${direction}`;
  }
  // Forms of one country also contain addresses of other countries.
  if (random.chance(0.12)) return `${cased} ${name}`;
  const both = random.chance(0.1) ? `${random.pattern('!##')} ${name}` : name;
  if (format.number === 'comma')
    return `${both}${random.pick([', ', ' ', ' nº ', ', nr. '])}${cased}`;
  if (format.number === 'dot') return `${both} ${cased}${random.chance(0.75) ? '.' : ''}`;
  return `${both} ${cased}`;
}

function streetName(random: Random, format: Format, people: People, local: City[]): string {
  let form = random.pick(format.forms);
  if (random.chance(0.08) && form.includes(' ')) form = form.toLowerCase();
  const roll = random.next();
  let stem = random.pick(format.stems);
  if (roll < format.named) {
    stem = random.pick([
      random.pick(people.last),
      random.pick(people.first),
      `${random.pick(people.first)} ${random.pick(people.last)}`,
      people.inventLast.invent(random),
    ]);
  } else if (roll < format.named + 0.1) stem = random.pick(local).name;
  else if (roll > 0.97 && form.startsWith('*'))
    stem = `${random.int(1, 199)}${random.pick(['th', 'st', 'nd', 'rd', '.'])}`;
  const compound = /\*[a-zäöåéøæšž]/.test(form);
  if (compound && random.chance(0.15) && roll < format.named) stem += 's';
  const name = form.replace('*', stem);
  return random.weighted([
    [90, name],
    [4, name.toLowerCase()],
    [3, name.toUpperCase()],
    [3, random.chance(0.5) ? name.charAt(0).toUpperCase() + name.slice(1) : name],
  ]);
}

/** A PO box or a military address. */
export function postBox(random: Random, { place, city, zip, country }: Address): string {
  const military = random.chance(0.35);
  if (military) {
    const unit = random.pick([
      'PSC ####, Box ####',
      'PSC ##, Box ###',
      'Unit ####',
      'Unit #### Box ####',
      'CMR ###, Box ####',
      'USNS ~',
      'USS ~',
      'USCGC ~',
      'USNV ~',
    ]);
    const ship = random.pick([
      'Carter',
      'Hopkins',
      'Vasquez',
      'Monroe',
      'Brandt',
      'Ellison',
      'Garner',
      'Pryor',
      'Lindqvist',
    ]);
    const theatre = random.pick(['APO', 'FPO', 'DPO']);
    const area = random.pick(['AE', 'AP', 'AA']);
    const gap = random.pick(['\n', ', ', ' ', '\n ']);
    return (
      random.pattern(unit.replace('~', '\u0001')).replace('\u0001', ship) +
      `${gap}${theatre} ${area} ${random.pattern('#####')}`
    );
  }
  const box = random.pattern(
    random.pick([
      'P.O. Box ###',
      'PO Box ####',
      'P.O. Box ##',
      'PO BOX ###',
      'P. O. Box ####',
      'Post Office Box ##',
      'GPO Box ####',
      'Postfach ## ##',
      'Postfach ####',
      'BP ###',
      'Apartado de Correos ##',
      'Casella Postale ##',
      'Postbus ####',
      'Postboks ###',
      'Box ###',
      'Caixa Postal ###',
      'Pf. ###',
      'PL ##',
      'Private Bag ##',
    ]),
  );
  const gap = random.pick(['\n', ', ', ' ']);
  return random.pick([
    box,
    `${box}${gap}${place}`,
    `${box}${gap}${city} ${zip}`,
    `${box}${gap}${place}${gap}${country}`,
  ]);
}

const gapsBetween = [
  ', ',
  ', ',
  '\n',
  '\n',
  '\n',
  ' ',
  ' ',
  ',\n',
  '\n ',
  ' - ',
  '; ',
  ' · ',
  '\n\t',
  ' / ',
  '   ',
];

/** An address in the format of its country, on one or more lines. */
export function localAddress(random: Random, { street, unit, place, country }: Address): string {
  const parts = [street, ...(random.chance(0.4) && unit ? [unit] : []), place];
  if (random.chance(0.12)) parts.push(country);
  return parts.join(random.pick([', ', ', ', ', ', '\n', '\n', ' in ', ' - ', ' ']));
}

/** A complete address in one of many layouts, on one or more lines. */
export function wholeAddress(random: Random, address: Address): string {
  if (random.chance(0.1)) return postBox(random, address);
  const { street, unit, city, state, zip, country, place } = address;
  const gap = random.pick(gapsBetween);
  const cityPart = random.weighted([
    [60, place],
    [8, `${city} ${zip}`],
    [6, `${zip} ${city}`],
    [5, `${city}, ${state} ${zip}`],
    [4, city],
    [3, `${city}, ${zip}`],
    [3, `${city}${random.pick(['\n, ', '\n', ' , '])}${state}`],
    [2, zip],
  ]);
  const parts = random.chance(0.06) ? [unit, street, cityPart] : [street, unit, cityPart];
  if (random.chance(0.45)) {
    const tail = random.chance(0.25) ? `${country} ${zip}` : country;
    parts.push(random.chance(0.2) ? tail.toUpperCase() : tail);
  }
  const given = parts.filter((part) => part !== '');
  // Occasionally a second separator, as in lines joined manually.
  const other = random.chance(0.3) ? random.pick(gapsBetween) : gap;
  return given.reduce(
    (text, part, at) => (at === 0 ? part : text + (random.chance(0.3) ? other : gap) + part),
    '',
  );
}
