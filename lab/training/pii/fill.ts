import { type Address, type Places, postBox, somewhere, wholeAddress } from './addresses.ts';
import { type Business, capital, coin, organization } from './organizations.ts';
import {
  addressed,
  fullName,
  honorific,
  type People,
  randomPerson,
  writtenName,
} from './people.ts';
import type { Random } from './random.ts';
import { Text } from './text.ts';
import { groups, jobs, nationalities, organizationWords } from './words/kinds.ts';
import * as things from './words/things.ts';

/** The data that fills templates. */
export interface World {
  peoples: readonly (readonly [number, People])[];
  /** The names of a locale. */
  locals: ReadonlyMap<string, People>;
  places: Places;
  business: Business;
  regions: readonly string[];
  words: {
    nouns: string[];
    adjectives: string[];
    verbs: string[];
    adverbs: string[];
    common: string[];
  };
  products: readonly string[];
  /** Paragraphs without names. */
  comments: string[];
  /** Paragraphs without names in other languages: compiler messages, the articles of human rights. */
  messages: string[];
  /** Food, animals, colours, departments and other words that are capitalised in lists. */
  things: readonly string[];
  dishes: readonly string[];
  /** Months and days of the week in many languages. */
  calendar: readonly string[];
  /** Common words of other languages, by language. */
  foreign: readonly (readonly string[])[];
  /** Less common words of the languages in `languages/`, in the same order. */
  seldom: readonly (readonly string[])[];
}

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const userInterface =
  'Settings|Save As|File|Edit|View|Tools|Help|Log In|Log Out|Sign Up|Submit|Cancel|Next|Back|Home|My Account|Add to Cart|Check Out|Search|New Folder|Print Preview|Export|Import|Downloads|Privacy|Notifications|Control Panel|Start|OK|Apply|Select All|Bookmarks|Dark Mode|Contact Us|About|Careers|Support'.split(
    '|',
  );
const departments =
  'Human Resources|Customer Service|Accounts Payable|Sales|Marketing|Legal|Finance|IT Support|Billing|Research and Development|Quality Assurance|Purchasing|Logistics|Radiology|Emergency|Admissions|Claims|Facilities|Payroll|Public Relations'.split(
    '|',
  );
const laws =
  'the Data Protection Act|Article # of the General Data Protection Regulation|Section ## of the Companies Act|the Freedom of Information Act|the Clean Air Act|the Housing Act of 19##|Chapter ## of the Bankruptcy Code|the Sale of Goods Act|the Employment Equality Directive|Regulation (EU) ###/2016|the Fair Trading Act 19##|Part # of the Road Traffic Act|the First Amendment|Rule ## of the Code of Conduct|the Consumer Rights Act|Schedule # to the Finance Act|the Equal Pay Act|Article ## of the Constitution|the Health and Safety at Work Act|the Public Procurement Ordinance'.split(
    '|',
  );

const acronyms =
  'ATM TV PC DVD GPS SMS PIN FAQ HR IT VAT AI API SQL HTML CSS CPU RAM USB PDF JSON XML HTTP URL ID DNA MRI ECG ICU PhD MBA GDP CV FYI ASAP RSVP DIY BBQ DJ CD LED LCD WiFi VPN SIM PS ETA RFC ISO UTC GMT AM PM NB TBD TBA QR OCR ZIP DOB SSN IBAN BIC SWIFT PO VIP UFO SUV CCTV EUR USD GBP LLM SDK CLI HTTPS GET POST MiB KB GB'.split(
    ' ',
  );

const dateForms = [
  ['de', 'D. M Y'],
  ['fr', 'D M Y'],
  ['fr', 'Der M Y'],
  ['es', 'D de M de Y'],
  ['it', 'D M Y'],
  ['pt', 'D de M de Y'],
  ['nl', 'D M Y'],
  ['sv', 'D M Y'],
  ['da', 'D. M Y'],
  ['fi', 'D. M Y'],
  ['pl', 'D M Y'],
  ['cs', 'D. M Y'],
  ['hu', 'Y. M D.'],
  ['el', 'D M Y'],
  ['ru', 'D M Y'],
] as const;

type Slot = (filler: Filler) => Text | string;

const slots: Record<string, Slot> = {
  P: (f) => new Text().add(writtenName(f.random, f.person()), 'PERSON'),
  TP: (f) => addressed(f.random, f.person()),
  FL: (f) => new Text().add(fullName(f.random, f.person()), 'PERSON'),
  F: (f) => new Text().add(f.person().first, 'PERSON'),
  L: (f) => new Text().add(f.person().last, 'PERSON'),
  /** A name as in lists. */
  I: (f) => {
    const { first, last } = f.person();
    return new Text().add(`${last}, ${first}`, 'PERSON');
  },
  f: (f) => new Text().add(f.person().first.toLowerCase(), 'PERSON'),
  /** Names that do not refer to people here: of effects, breeds, teams. */
  q: (f) => f.person().last,
  c: (f) => f.address().city,
  /** Brands, and companies called by their brand. */
  BR: (f) => f.brand(),
  OB: (f) => new Text().add(f.brand(), 'ORGANIZATION'),
  T: (f) => new Text().add(honorific(f.random), 'TITLE'),
  J: (f) => new Text().add(f.job(false), 'TITLE'),
  JC: (f) => new Text().add(f.job(true), 'TITLE'),
  O: (f) => new Text().add(organization(f.random, f.people(), f.world.business), 'ORGANIZATION'),
  C: (f) => new Text().add(f.cased(f.address().city), 'LOCATION'),
  K: (f) => new Text().add(f.cased(f.country()), 'LOCATION'),
  S: (f) => new Text().add(f.random.pick(f.world.regions), 'LOCATION'),
  A: (f) => new Text().add(wholeAddress(f.random, f.address()), 'ADDRESS'),
  ST: (f) => new Text().add(f.address().street, 'ADDRESS'),
  Z: (f) => new Text().add(f.address().zip, 'ADDRESS'),
  B: (f) => new Text().add(postBox(f.random, f.address()), 'ADDRESS'),
  U: (f) => new Text().add(f.address().unit || f.random.pattern('Apt. ##'), 'ADDRESS'),
  HN: (f) => new Text().add(f.random.pattern(f.random.pick(['!#', '!', '!##'])), 'ADDRESS'),
  N: (f) => new Text().add(f.cased(f.random.pick(nationalities)), 'NRP'),
  G: (f) => new Text().add(f.random.pick(groups), 'NRP'),
  date: (f) => f.date(),
  fdate: (f) => f.foreignDate(),
  time: (f) =>
    f.random.pattern(
      f.random.pick(['1#:3#', '9:4#', '8.30 am', '1#:00', '7 pm', '5:15 p.m.', 'noon']),
    ),
  month: (f) => f.random.pick(months),
  day: (f) => f.random.pick(weekdays),
  amt: (f) =>
    f.random.pattern(
      f.random.pick([
        '$!##',
        '$!,###.##',
        '€ !#,##',
        '!## EUR',
        'USD !,###',
        '£!#',
        '!#.## €',
        'CHF !##.—',
        '$!.# million',
        '!##,###.##',
        '!#,##',
      ]),
    ),
  n: (f) => f.random.pattern(f.random.pick(['!', '!', '!#'])),
  num: (f) => f.random.pattern(f.random.pick(['!##', '!,###', '!####', '!##,###', '!###'])),
  phone: (f) =>
    f.random.pattern(
      f.random.pick([
        '+!# !# ### ## ##',
        '(!##) ###-####',
        '!##-###-####',
        '0!# ######',
        '+!# !## ### ###',
        '0!## / ### ## ##',
        '!## ### ####',
        '+1 !## ### ####',
        '!# ## ## ## ##',
        '0!## ### ####',
        '(0!) #### ####',
        '+#####' + '######',
        '##########',
        '(0!) ####-###',
      ]),
    ),
  email: (f) => f.email(),
  url: (f) => f.random.pick(['https://', 'www.', 'http://www.', '']) + f.host(),
  card: (f) =>
    f.random.pattern(
      f.random.pick([
        '4###############',
        '5### #### #### ####',
        '4###-####-####-####',
        '3##############',
        '6###############',
      ]),
    ),
  iban: (f) =>
    f.random.pattern(
      f.random.pick([
        'DE## #### #### #### #### ##',
        'GB##????##############',
        'FR##########??###########',
        'NL##????##########',
        'CH###################',
      ]),
    ),
  ip: (f) =>
    f.random.pattern(
      f.random.pick(['10.!#.!##.!', '192.168.!.!#', '!##.!#.!.!##', '2001:db8::!###']),
    ),
  ssn: (f) => f.random.pattern('!##-##-####'),
  id: (f) =>
    f.random.pattern(
      f.random.pick([
        '!######',
        '??-######',
        '?#######',
        '!##-###',
        '?##-??-####',
        '!###/##',
        '##-####-##',
        '????##',
        'INV-####',
        '!#########',
      ]),
    ),
  age: (f) => String(f.random.int(2, 98)),
  prod: (f) => f.random.pick(f.world.products),
  noun: (f) => f.random.pick(f.world.words.nouns),
  nouns: (f) => `${f.random.pick(f.world.words.nouns)}s`,
  Noun: (f) => capital(f.random.pick(f.world.words.nouns)),
  adj: (f) => f.random.pick(f.world.words.adjectives),
  verb: (f) => f.random.pick(f.world.words.verbs),
  ui: (f) => f.random.pick(userInterface),
  dept: (f) => f.random.pick(departments),
  law: (f) => f.random.pattern(f.random.pick(laws)),
  song: (f) => f.heading(f.random.int(1, 5)),
  Head: (f) => f.heading(f.random.int(1, 6)),
  label: (f) => f.random.pick(things.labels),
  flabel: (f) => f.random.pick(f.random.pick(things.foreignLabels)),
  fthing: (f) => f.random.pick(f.random.pick(things.foreignThings)),
  fs: (f) => f.random.pick(f.world.messages),
  food: (f) => f.random.pick(things.foods).toLowerCase(),
  dish: (f) => f.random.pick(things.dishes),
  good: (f) => f.random.pick(things.goods),
  biz: (f) => f.random.pick(things.business),
  party: (f) => f.random.pick(things.parties),
  def: (f) => f.random.pick(things.defined),
  comment: (f) => f.random.pick(f.world.comments),
  acr: (f) => f.random.pick(acronyms),
  orgword: (f) => f.random.pick(organizationWords).toLowerCase(),
  secret: (f) => f.secret(),
  sent: (f) => f.sentence(true),
  sentc: (f) => f.sentence(false),
};

/** Fills the slots of templates. Most names in a document come from one culture. */
export class Filler {
  private home: People;

  constructor(
    readonly random: Random,
    readonly world: World,
  ) {
    this.home = random.weighted(world.peoples);
  }

  fill(template: string): Text {
    const text = new Text();
    for (const [at, part] of template.split(/\{(\w+)\}/).entries()) {
      if (at % 2 === 0) {
        text.add(part.replaceAll('⏎', '\n'));
        continue;
      }
      const slot = slots[part];
      if (!slot) throw new Error(`Unknown slot '${part}'.`);
      const filled = slot(this);
      if (typeof filled === 'string') text.add(filled);
      else text.append(filled);
    }
    return text;
  }

  people(): People {
    return this.random.chance(0.3) ? this.random.weighted(this.world.peoples) : this.home;
  }

  person() {
    return randomPerson(this.random, this.people());
  }

  address(): Address {
    return somewhere(this.random, this.world.places, this.people());
  }

  country(): string {
    const { countries } = this.world.places;
    return this.random.pick(this.random.pick([...countries.values()]));
  }

  /** A brand: invented, or named after its founder. */
  brand(): string {
    const { random, world } = this;
    return random.chance(0.25) ? this.person().last : capital(coin(random, world.business));
  }

  /** Sometimes in upper or lower case, as people write. */
  /** Numbers and codes of documents, taxes and machines that are not addresses. */
  secret(): string {
    const { random } = this;
    const made = random.pattern(
      random.pick([
        '### ## ####',
        '## ###### ? ###',
        '########?',
        '#### ##### #',
        '### ### ###',
        '?######?',
        '??????##?##?###?',
        '## ## ## ### ### ##',
        '#.##.##.##.###.###-##',
        '###.###.###-##',
        '##.###.###/####-##',
        '#### #### ####',
        '?????####?',
        '######-####',
        '###########',
        '??######?',
        '?? ## ## ## ?',
        '##-#######',
        '#########',
        '??????2?',
        '????????XXX',
        '??:##:??:##:##:##',
        '########-####-####-####-############',
        '0x####??##??##',
        '#?##??#?##',
        'bc1q####??##??',
        '1?#??##???#????##??',
        '### ### ####',
        '(###)',
        '#-##-###',
        '????-####-????',
      ]),
    );
    return random.chance(0.2) ? made.toLowerCase() : made;
  }

  cased(words: string): string {
    return this.random.weighted([
      [93, words],
      [4, words.toUpperCase()],
      [3, words.toLowerCase()],
    ]);
  }

  job(capitals: boolean): string {
    const { random } = this;
    let job = random.pick(jobs);
    if (random.chance(0.12))
      job = `${random.pick(['senior', 'junior', 'chief', 'assistant', 'deputy', 'lead', 'retired', 'head'])} ${job}`;
    if (random.chance(0.05))
      job = `${random.pick(this.world.words.nouns)} ${random.pick(['technician', 'operator', 'inspector', 'specialist', 'installer', 'repairer', 'assembler', 'officer', 'clerk', 'manager'])}`;
    if (random.chance(0.12)) {
      const role = random.pick([
        'technician',
        'operator',
        'inspector',
        'specialist',
        'installer',
        'repairer',
        'assembler',
        'officer',
        'clerk',
        'manager',
        'attendant',
        'worker',
        'adviser',
        'buyer',
        'therapist',
        'teacher',
        'engineer',
        'designer',
      ]);
      const some = () => random.pick(this.world.words.nouns);
      job = random.pick([
        `${some()}, ${some()}, and ${some()} ${role}`,
        `${some()} and ${some()} ${role}`,
        `${some()}-${some()} ${role}`,
        `${some()}'s ${role}`,
        `${random.pick(this.world.words.adjectives)} ${some()} ${role}`,
        `${role}, ${some()}`,
      ]);
    }
    if (capitals || random.chance(0.15)) {
      job = random.chance(0.6) ? capital(job) : job.split(' ').map(capital).join(' ');
    }
    return job;
  }

  date(): string {
    const { random } = this;
    const month = random.pick(months);
    const day = random.int(1, 28);
    const year = random.int(1935, 2027);
    return random.pick([
      `${random.int(1, 12)}/${day}/${year}`,
      `${day}.${random.int(1, 12)}.${year}`,
      `${year}-0${random.int(1, 9)}-${day + 9 > 28 ? 10 : day + 9}`,
      `${month} ${day}, ${year}`,
      `${day} ${month} ${year}`,
      `${month} ${day}`,
      `${month.slice(0, 3)} ${day}, ${year}`,
      `${random.pick(weekdays)}, ${month} ${day}`,
      `${day}/${random.int(1, 12)}/${year % 100}`,
      `${day}th of ${month}`,
    ]);
  }

  /** A date in a language other than English. */
  foreignDate(): string {
    const { random } = this;
    const [language, form] = random.pick(dateForms);
    const day = random.int(1, 28);
    const date = new Date(Date.UTC(random.int(1935, 2027), random.int(0, 11), day));
    const month = new Intl.DateTimeFormat(language, {
      month: 'long',
      timeZone: 'UTC',
      day: 'numeric',
    })
      .formatToParts(date)
      .find(({ type }) => type === 'month')!.value;
    const year = random.chance(0.85) ? String(date.getUTCFullYear()) : '';
    const written = form.replace('D', String(day)).replace('M', month).replace('Y', year).trim();
    const figures = `${day}.${random.int(1, 12)}.${date.getUTCFullYear()}`;
    return random.chance(0.7) ? written.replace(/ de$/, '') : figures;
  }

  host(): string {
    const { random, world } = this;
    const name = random.pick([
      random.pick(world.words.nouns),
      this.home.inventLast.invent(random).toLowerCase(),
      random.pick(world.words.common) + random.pick(world.words.nouns),
    ]);
    const path = random.chance(0.2) ? `/${random.pick(world.words.nouns)}` : '';
    return (
      name.replace(/[^\p{L}\d]/gu, '') +
      random.pick([
        '.com',
        '.com',
        '.org',
        '.net',
        '.de',
        '.co.uk',
        '.io',
        '.hu',
        '.dk',
        '.info',
        '.fr',
      ]) +
      path
    );
  }

  email(): string {
    const { random } = this;
    const { first, last } = this.person();
    const user = random.pick([
      `${first}.${last}`,
      `${first}${random.int(1, 99)}`,
      `${first[0]}${last}`,
      last,
      'info',
      'office',
      `${first}_${last}`,
      random.pick(this.world.words.nouns),
    ]);
    const plain = user.replace(/[\s']/g, '');
    return `${random.chance(0.5) ? plain.toLowerCase() : plain}@${this.host().split('/')[0]}`;
  }

  /** Capitalised words, as in headings and titles. */
  heading(length: number): string {
    const { random, world } = this;
    const small = ['of', 'the', 'and', 'in', 'for', 'to', 'a', 'on', 'with'];
    const words = Array.from({ length }, (_, at) => {
      if (at > 0 && at < length - 1 && random.chance(0.3)) return random.pick(small);
      return capital(
        random.pick(random.pick([world.words.nouns, world.words.adjectives, world.words.common])),
      );
    });
    const heading = words.join(' ');
    return random.chance(0.12) ? heading.toUpperCase() : heading;
  }

  /** A grammatical but meaningless English sentence without personal data. */
  sentence(whole: boolean): string {
    const { random, world } = this;
    const { nouns, adjectives, verbs, adverbs, common } = world.words;
    const some = (list: readonly string[]) => random.pick(list);
    const thing = () => {
      const article = some([
        'the',
        'a',
        'our',
        'your',
        'this',
        'his',
        'their',
        'every',
        'no',
        'my',
        'her',
        'that',
      ]);
      return random.pick([
        `${article} ${some(nouns)}`,
        `${article} ${some(adjectives)} ${some(nouns)}`,
        `${some(nouns)}s`,
        some(['it', 'they', 'we', 'you', 'I', 'he', 'she', 'everyone', 'nobody']),
      ]);
    };
    const verb = () =>
      random.pick([
        some(verbs),
        `${some(verbs)}s`,
        `can ${some(verbs)}`,
        `will ${some(verbs)}`,
        `has been ${some(adjectives)}`,
        `did not ${some(verbs)}`,
        'is',
        'was',
        `wants to ${some(verbs)}`,
        `could never ${some(verbs)}`,
      ]);
    const where = () =>
      `${some(['in', 'on', 'at', 'near', 'with', 'for', 'from', 'by', 'after', 'before', 'about', 'without', 'under', 'to', 'of'])} ${thing()}`;
    const made = random.pick([
      () => `${thing()} ${verb()} ${thing()}`,
      () => `${thing()} ${verb()} ${thing()} ${where()}`,
      () => `${where()}, ${thing()} ${verb()} ${some(adjectives)}`,
      () => `${thing()} ${some(adverbs)} ${verb()} ${thing()} and ${thing()} ${verb()} ${where()}`,
      () =>
        `${some(['when', 'if', 'because', 'although', 'while', 'since'])} ${thing()} ${verb()}, ${thing()} ${verb()} ${thing()}`,
      () => `${some(verbs)} ${thing()} ${where()}`,
      () =>
        `${some(['do', 'can', 'did', 'would', 'should', 'why do', 'how can', 'what if'])} ${thing()} ${some(verbs)} ${where()}`,
      () => `there ${some(['is', 'was', 'are', 'will be'])} ${thing()} ${where()}`,
      () =>
        Array.from({ length: random.int(3, 12) }, () =>
          some(random.pick([common, nouns, adjectives, verbs])),
        ).join(' '),
    ])();
    if (!whole) return `${made}.`;
    return (
      capital(made) +
      random.weighted([
        [70, '.'],
        [10, '!'],
        [12, '?'],
        [8, ''],
      ])
    );
  }
}
