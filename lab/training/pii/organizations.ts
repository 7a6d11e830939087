import type { Inventor } from './invent.ts';
import type { People } from './people.ts';
import type { Random } from './random.ts';
import { legalForms, organizationWords, wellKnown } from './words/kinds.ts';

export interface Business {
  nouns: readonly string[];
  adjectives: readonly string[];
  cities: readonly string[];
  invented: Inventor;
}

const branches =
  `Health Medical Legal Property Capital Data Cloud Energy Solar Wind Water Food Fashion Travel Home Auto Cargo Marine Rail Aero Bio Nano Digital Mobile Smart
  Green Urban Rural Global Pacific Atlantic Northern Southern Western Eastern Central National Federal Royal United First Premier Prime Elite Alpha Beta Omega Delta Apex Summit
  Pioneer Liberty Heritage Golden Silver Blue Red Black White Bright Clear Swift Rapid True Open Civic Social Public People Patient Student Farm Fleet Code Byte Pixel Signal`
    .trim()
    .split(/\s+/);
const tails =
  `ly ify io ia ex ix on ara ora us um is al ent ance ware works base hub lab labs soft tech net link line wise path point bridge field stone gate port force loop nest mint kit dash scape
  stack space cast cloud logic metrics grid pulse spark sense view scope craft mark trust care pay bank book desk box map`
    .trim()
    .split(/\s+/);
const institutions = [
  'University of *',
  '* University',
  'Bank of *',
  '* Medical Center',
  '* General Hospital',
  '* High School',
  'City of *',
  '* City Council',
  '* Chamber of Commerce',
  'University Hospital *',
  '* Police Department',
  '* Public Library',
  'Technical University of *',
  '* Airport Authority',
  '* Water Company',
  '* United',
  '* Football Club',
  'FC *',
  '* Opera House',
  '* Community College',
  '* Savings Bank',
  'Stadtwerke *',
  'Universität *',
  'Universidad de *',
  'Université de *',
  'Comune di *',
  'Ayuntamiento de *',
  'Sparkasse *',
  '* Rugby Club',
  'Diocese of *',
  '* School District',
  '* Institute of Technology',
  'Port of *',
  '* Symphony Orchestra',
  '* Fire Department',
  '* Tigers',
  '* Rovers',
  '* Wolves',
  '* City Hospital',
  'Museum of * History',
];
const offices = [
  'Department of *',
  'Ministry of *',
  'Office of *',
  'Institute of *',
  'Association of *',
  'Society for *',
  'National * Council',
  'International * Federation',
  'Federal * Agency',
  'Bureau of *',
  'Centre for *',
  'Center for * Research',
  'Royal * Society',
  '* Workers Union',
  'European * Agency',
  '* Trade Association',
  'Committee on *',
  'School of *',
  'Faculty of *',
  '* Regulatory Authority',
];
const subjects =
  `Health|Transport|Agriculture|Defence|Finance|Education|Justice|Energy|Labor|Foreign Affairs|Public Works|Engineering|Physics|Veterans Affairs|Human Rights|Fisheries|Statistics
  |Consumer Protection|Nursing|Chemistry|Tourism|Sport|Economic Research|Food Safety|Aviation|Telecommunications|Housing|Social Services|Environmental Protection|Marine Biology`
    .split('|')
    .map((subject) => subject.trim());
const shops = [
  'Bakery',
  'Pharmacy',
  'Garage',
  'Hardware',
  'Books',
  'Cafe',
  'Diner',
  'Pizzeria',
  'Florist',
  'Cleaners',
  'Barbershop',
  'Deli',
  'Jewelers',
  'Grill',
  'Pub',
  'Market',
  'Kitchen',
  'Pet Store',
  'Law Firm',
  'Funeral Home',
];

/** The name of a company, office, school, club or similar organisation. */
export function organization(random: Random, people: People, business: Business): string {
  const last = random.pick(people.last);
  const other = random.pick(people.last);
  const legal = random.pick(legalForms);
  const word = random.pick(organizationWords);
  const branch = random.pick(branches);
  const city = random.pick(business.cities);
  const coined = coin(random, business);
  const name = random.weighted<() => string>([
    [12, () => `${last} ${legal}`],
    [4, () => `${last} and ${other}`],
    [4, () => `${last} & ${other}${random.chance(0.3) ? ` ${legal}` : ''}`],
    [
      3,
      () =>
        `${last}, ${other} ${random.pick(['and', '&', 'und', 'et', 'y', 'e'])} ${random.pick(people.last)}`,
    ],
    [4, () => `${last}-${other}`],
    [5, () => `${last} ${word}`],
    [5, () => `${branch} ${word}${random.chance(0.3) ? ` ${legal}` : ''}`],
    [3, () => `${branch} ${random.pick(branches)} ${word}`],
    [18, () => coined],
    [9, () => `${coined} ${legal}`],
    [6, () => `${coined} ${word}`],
    [8, () => random.pick(institutions).replace('*', city)],
    [4, () => random.pick(offices).replace('*', random.pick(subjects))],
    [4, () => `${random.pick([random.pick(people.first), last])}'s ${random.pick(shops)}`],
    [
      3,
      () =>
        `St. ${random.pick(people.first)}${random.pick([' Hospital', "'s Church", ' College', "'s School", ' Medical Center'])}`,
    ],
    [4, () => acronym(random)],
    [2, () => `${acronym(random)} ${random.pick([word, legal])}`],
    [7, () => random.pick(wellKnown)],
    [2, () => `${city} ${word}`],
    [
      2,
      () =>
        `The ${random.pick([branch, last])} ${random.pick(['Foundation', 'Group', 'Company', 'Institute', 'Trust', 'Times', 'Post', 'Agency'])}`,
    ],
    [
      1,
      () =>
        `${capital(random.pick(business.nouns))} & ${capital(random.pick(business.nouns))} ${random.pick(['', legal])}`.trim(),
    ],
  ])();
  return random.weighted([
    [95, name],
    [4, name.toUpperCase()],
    [1, name.toLowerCase()],
  ]);
}

/** An invented brand: two joined words, a word with an ending, or syllables. */
export function coin(random: Random, { nouns, adjectives, invented }: Business): string {
  const noun = random.pick(nouns);
  const branch = random.pick(branches);
  return random.weighted<() => string>([
    [6, () => `${branch}${noun}`],
    [4, () => `${branch}${capital(noun)}`],
    [4, () => `${capital(noun)}${random.pick(tails)}`],
    [4, () => `${capital(noun.slice(0, random.int(3, 6)))}${random.pick(tails)}`],
    [4, () => invented.invent(random)],
    [2, () => `${capital(random.pick(adjectives))}${capital(noun)}`],
    [3, () => `${capital(random.pick(adjectives))} ${capital(noun)}`],
    [2, () => `${capital(noun)} ${capital(random.pick(nouns))}`],
    [2, () => `${invented.invent(random).slice(0, 5)}${random.pick(tails)}`],
    [1, () => capital(noun)],
  ])();
}

function acronym(random: Random): string {
  const length = random.int(2, 5);
  return Array.from({ length }, () => String.fromCharCode(random.int(65, 90))).join('');
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
