import { base, de, en, en_US, es, Faker, fr, it, nl, pt_PT } from '@faker-js/faker';
import type { Random } from '../pii/random.ts';
import { type Language, sentences } from './sentences.ts';

const locales = {
  en: [en_US, en, base],
  de: [de, en, base],
  fr: [fr, en, base],
  es: [es, en, base],
  it: [it, en, base],
  nl: [nl, en, base],
  pt: [pt_PT, en, base],
};
const fakers = new Map(
  Object.entries(locales).map(([language, locale]) => [language, new Faker({ locale })]),
);

const wordLists: Record<string, string> = {
  foods:
    'bread|milk|eggs|coffee|apple juice|pasta|chicken|rice|tomato|cheese|cappuccino|pizza|salmon|banana|burger|tea|water 0.5l|croissant|ice cream|soup|beer|wine|potatoes|yoghurt|chocolate|sandwich|Brot|Milch|Käse|pain|fromage|leche|queso|jamón|latte|pane|melk|kaas|pão|leite',
  movers:
    'Salary|Rent|Supermarket|Direct debit|Standing order|ATM withdrawal|Interest|Card payment|Transfer|SEPA Lastschrift|Gehalt|Miete|Überweisung|Virement|Prélèvement|Retrait DAB|Transferencia|Nómina|Recibo|Bonifico|Prelievo|Stipendio|Overboeking|Salaris|Transferência|Levantamento|Pagamento|Insurance premium|Refund|Cheque 000123|Utility|Gym|Dividend',
  skills:
    'Java|Excel|SAP|Photoshop|Python|project management|negotiation|SQL|AutoCAD|bookkeeping|Scrum|copywriting|welding|first aid|PowerPoint|nursing|C++|React|data analysis|forklift|customer service|InDesign|Kubernetes|accounting|public speaking',
  subjects:
    'Physics|Economics|Law|Computer Science|History|Mechanical Engineering|Biology|Psychology|Business Administration|Medicine|Informatik|Droit|Economía|Giurisprudenza|Architecture|Mathematics|Nursing|Chemistry',
};
const lists = new Map(Object.entries(wordLists).map(([name, list]) => [name, list.split('|')]));
const states =
  'FRANCE|UTOPIA|CANADA|NEW YORK|CALIFORNIA|POLAND|KENYA|INDIA|BRAZIL|SWEDEN|TEXAS|GHANA|IRELAND|SPAIN'.split(
    '|',
  );

/** Fills the slots of templates. A document keeps one language and one format for dates and amounts. */
export class Filler {
  private readonly faker: Faker;
  private readonly dateFormat: number;
  private readonly usesDecimalComma: boolean;
  private readonly currency: string;

  constructor(
    private readonly random: Random,
    readonly language: Language,
  ) {
    this.faker = fakers.get(language)!;
    this.faker.seed(random.int(0, 2 ** 31));
    this.dateFormat = random.int(0, 5);
    this.usesDecimalComma = language !== 'en';
    this.currency =
      language === 'en'
        ? random.pick(['$', '£', '€', 'USD ', 'GBP '])
        : random.pick(['€', 'EUR ', 'CHF ']);
  }

  fill(template: string): string {
    let text = template;
    // Sentences and topics contain slots themselves.
    for (let depth = 0; depth < 4 && /\{[A-Za-z0-9]+\}/.test(text); depth++) {
      text = text.replace(/\{([A-Za-z0-9]+)\}/g, (_, slot: string) => this.fillSlot(slot));
    }
    return text;
  }

  private fillSlot(name: string): string {
    const { random, faker } = this;
    const words = sentences[this.language];
    const isUpperCase = /^[A-Z]+$/.test(name);
    if (isUpperCase && name !== 'STATE') return this.fillSlot(name.toLowerCase()).toUpperCase();
    switch (name) {
      case 'person':
        return `${faker.person.firstName()} ${faker.person.lastName()}`;
      case 'first':
        return faker.person.firstName();
      case 'last':
        return faker.person.lastName();
      case 'honor':
        return random.pick(['Mr', 'Mrs', 'Ms', 'Dr', 'Mr.', 'Ms.']);
      case 'job':
        return faker.person.jobTitle();
      case 'company':
        return faker.company.name();
      case 'trade':
        return faker.commerce.department();
      case 'street':
        return faker.location.streetAddress();
      case 'town':
        return random.chance(0.5)
          ? `${faker.location.zipCode()} ${faker.location.city()}`
          : faker.location.city();
      case 'phone':
        return faker.phone.number();
      case 'email':
        return faker.internet.email().toLowerCase();
      case 'url':
        return random.chance(0.5)
          ? `www.${faker.internet.domainName()}`
          : faker.internet.domainName();
      case 'iban':
        return random.pattern(
          random.pick([
            'DE## #### #### #### #### ##',
            'GB## ???? #### #### #### ##',
            'FR## #### #### #### #### #### ###',
            'ES## #### #### #### #### ####',
            'NL##????##########',
            'PT50 #### #### #### #### #### #',
          ]),
        );
      case 'bic':
        return random.pattern('????DE##XXX');
      case 'vat':
        return random.pattern(
          random.pick([
            'GB ### #### ##',
            'DE#########',
            'B########',
            'FR## ### ### ###',
            '###########',
            'ATU########',
          ]),
        );
      case 'num':
        return random.pattern(random.pick(['!##', '!####', '!########', '!## ###', '!###-##']));
      case 'id':
        return random.pattern(
          random.pick([
            '!###',
            '20##-####',
            '??-#####',
            'RE######',
            '?#######',
            '#####/##',
            '!#####',
          ]),
        );
      case 'pin':
        return random.pattern('####');
      case 'n':
        return String(random.int(1, 9));
      case 'amt':
        return this.amount();
      case 'cur':
        return this.currency;
      case 'date':
        return this.date();
      case 'month':
        return faker.date.month();
      case 'weekday':
        return faker.date.weekday();
      case 'year':
        return String(random.int(1998, 2026));
      case 'time':
        return random.pattern(random.pick(['1#:#!', '0!:!#'])).replace(/:([6-9])/, ':0');
      case 'sex':
        return random.pick(['M', 'F']);
      case 'product':
        return random.chance(0.4) ? faker.commerce.product() : faker.commerce.productName();
      case 'word':
        return random.chance(0.5) ? faker.lorem.word() : faker.hacker.noun().replaceAll(' ', '_');
      case 'line':
        return faker.lorem.words(random.int(4, 7));
      case 'prose':
        return this.prose();
      case 'topic':
        return random.pick(words.topics);
      case 'biz':
        return random.pick(words.biz);
      case 'rep':
        return random.pick(words.rep);
      case 'story':
        return random.pick(words.story);
      case 'STATE':
        return random.pick(states);
      case 'mrz3':
        return this.passportZone();
      case 'mrz1':
        return this.cardZone();
      default: {
        const list = lists.get(`${name}s`);
        if (!list) throw new Error(`Unknown slot '${name}'.`);
        return random.pick(list);
      }
    }
  }

  private prose(): string {
    const { faker, random } = this;
    return random.weighted([
      [3, () => faker.commerce.productDescription()],
      [2, () => faker.hacker.phrase()],
      [3, () => faker.lorem.sentences(2)],
      [1, () => `${faker.company.catchPhrase()}.`],
      [3, () => random.pick(sentences[this.language].story)],
    ] as const)();
  }

  private amount(): string {
    const { random } = this;
    const cents = String(random.int(0, 99)).padStart(2, '0');
    const whole = random.weighted([
      [4, () => random.int(1, 99)],
      [4, () => random.int(100, 999)],
      [2, () => random.int(1000, 9999)],
    ] as const)();
    const text = String(whole).replace(/(\d)(\d{3})$/, this.usesDecimalComma ? '$1.$2' : '$1,$2');
    return `${text}${this.usesDecimalComma ? ',' : '.'}${cents}`;
  }

  private date(): string {
    const { random } = this;
    const day = random.int(1, 28);
    const month = random.int(1, 12);
    const year = random.int(2005, 2026);
    const twoDigits = (value: number) => String(value).padStart(2, '0');
    const name = this.faker.date.month();
    if (this.dateFormat === 0) return `${twoDigits(day)}.${twoDigits(month)}.${year}`;
    if (this.dateFormat === 1) return `${twoDigits(day)}/${twoDigits(month)}/${year}`;
    if (this.dateFormat === 2) return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
    if (this.dateFormat === 3)
      return this.language === 'en' ? `${name} ${day}, ${year}` : `${day} ${name} ${year}`;
    if (this.dateFormat === 4) return `${day} ${name.slice(0, 3)} ${year}`;
    return `${twoDigits(day)}/${twoDigits(month)}`;
  }

  private zoneName(): string {
    const plain = (text: string) =>
      text
        .normalize('NFKD')
        .toUpperCase()
        .replace(/[^A-Z]/g, '<')
        .replace(/<+/g, '<');
    return `${plain(this.faker.person.lastName())}<<${plain(this.faker.person.firstName())}`;
  }

  private datesWithCheckDigits(): string {
    const digit = (field: string) =>
      [...field].reduce((sum, sign, at) => sum + Number(sign) * [7, 3, 1][at % 3]!, 0) % 10;
    const birth = this.random.pattern('!#0!1#');
    const expiry = this.random.pattern('3#0!1#');
    return `${birth}${digit(birth)}${this.random.pick(['M', 'F'])}${expiry}${digit(expiry)}`;
  }

  private passportZone(): string {
    const country = this.random.pick(['GBR', 'USA', 'FRA', 'UTO', 'ESP', 'ITA', 'NLD']);
    const first = `P<${country}${this.zoneName()}`.slice(0, 44).padEnd(44, '<');
    return `${first}⏎${this.random.pattern('#########')}!${country}${this.datesWithCheckDigits()}`
      .replace('!', '4')
      .padEnd(89, '<');
  }

  private cardZone(): string {
    const country = this.random.pick(['D<<', 'FRA', 'ESP', 'ITA', 'NLD', 'PRT', 'BEL']);
    const first =
      `I${this.random.pick(['D', '<'])}${country}${this.random.pattern('?########')}4`.padEnd(
        30,
        '<',
      );
    const second = `${this.datesWithCheckDigits()}${country}`.padEnd(29, '<');
    return `${first}⏎${second}6⏎${this.zoneName().slice(0, 30).padEnd(30, '<')}`;
  }
}
