import { localAddress, somewhere } from '../addresses.ts';
import { Filler, type World } from '../fill.ts';
import { mentioning } from '../mentions.ts';
import { capital, coin } from '../organizations.ts';
import { type People, randomPerson } from '../people.ts';
import type { Random } from '../random.ts';
import { Text } from '../text.ts';
import { writtenLanguages } from './index.ts';
import type { Language } from './language.ts';
import { type Case, firstName, lastName, town } from './polish-cases.ts';

const templates = writtenLanguages.map(({ personal, impersonal }) => ({
  personal: personal.trim().split('\n'),
  impersonal: impersonal.trim().split('\n'),
}));

/** The share of texts without names into which a mention is inserted, and its kind. */
const MENTIONED = 0.12;
/** The share of people with names from another country. */
const ABROAD = 0.2;
/** The share of less common words. */
const SELDOM = 0.4;
const mentioned = [
  '{P}',
  '{P}',
  '{P}',
  '{F}',
  '{F}',
  '{H} {L}',
  '{H} {P}',
  '{R} {P}',
  '{C}',
  '{O}',
];

/** A text in one language: several filled templates, some of which name people. */
export function localDocument(random: Random, world: World): Text {
  const at = random.int(0, writtenLanguages.length - 1);
  const writer = new Writer(random, world, at);
  const { personal, impersonal } = templates[at]!;
  const share = random.pick([0, 0.2, 0.6, 0.6, 0.9, 1]);
  const text = new Text();
  const parts = random.pick([1, 1, 2, 3, 5]);
  for (let part = 0; part < parts; part++) {
    const from = random.chance(share) ? personal : impersonal;
    if (part > 0) text.add(random.pick([' ', '\n', '\n', '\n\n']));
    const made = writer.fill(random.pick(from));
    const isMentioned = from === impersonal && random.chance(MENTIONED);
    text.append(
      isMentioned ? mentioning(random, made, () => writer.fill(random.pick(mentioned))) : made,
    );
  }
  return text;
}

interface Someone {
  first: string;
  last: string;
  woman: boolean;
}

/** Fills the templates of a language with its names, addresses, organisations and words. */
class Writer {
  private readonly language: Language;
  private readonly words: readonly string[];
  private readonly seldom: readonly string[];
  private readonly home: People;
  private readonly base: Filler;

  constructor(
    private readonly random: Random,
    private readonly world: World,
    at: number,
  ) {
    this.language = writtenLanguages[at]!;
    this.words = world.foreign[at]!;
    this.seldom = world.seldom[at]!;
    this.home = world.locals.get(random.pick(this.language.locales))!;
    this.base = new Filler(random, world);
  }

  fill(template: string): Text {
    const text = new Text();
    for (const [at, part] of template.split(/\{(\w+)\}/).entries()) {
      if (at % 2 === 0) text.add(part.replaceAll('⏎', '\n'));
      else this.put(text, part);
    }
    return text.joinParts();
  }

  private put(text: Text, slot: string): void {
    const { random, language } = this;
    const kind = slot.charAt(0);
    const to = slot.slice(1);
    if (/^[PFL]s$/.test(slot)) this.possessive(text, this.name(kind, null));
    else if (/^[PFL][gdilv]?$/.test(slot)) {
      text.add(this.name(kind, isCase(to) ? to : null), 'PERSON');
    } else if (slot === 'I') text.add(`${this.name('L', null)}, ${this.given()}`, 'PERSON');
    else if (slot === 'X') text.add(this.name('L', null).toUpperCase(), 'PERSON');
    else if (slot === 'SP') text.add(this.namedStreet(), 'ADDRESS');
    else if (slot === 'f') text.add(this.name('F', null).toLowerCase(), 'PERSON');
    else if (/^C[gl]?$/.test(slot)) {
      const city = this.city();
      text.add(to === 'g' || to === 'l' ? town(city, to) : city, 'LOCATION');
    } else if (slot === 'A') text.add(localAddress(random, this.somewhere()), 'ADDRESS');
    else if (slot === 'ST') text.add(this.somewhere().street, 'ADDRESS');
    else if (slot === 'Z') text.add(this.somewhere().zip, 'ADDRESS');
    else if (slot === 'H') text.add(random.pick(language.titles), 'TITLE');
    else if (slot === 'J') text.add(random.pick(language.jobs), 'TITLE');
    else if (slot === 'JC') text.add(capital(random.pick(language.jobs)), 'TITLE');
    else if (slot === 'O') text.add(this.organization(), 'ORGANIZATION');
    else if (slot === 'N') text.add(random.pick(language.nationalities), 'NRP');
    else text.append(this.plain(slot));
  }

  /**
   * A slot without personal data, including slots of English templates that are the same in all
   * languages.
   */
  private plain(slot: string): Text {
    const { random, language } = this;
    const made = {
      d: () => this.date(),
      D: () => this.calendar({ weekday: 'long' }),
      R: () => random.pick(language.roles),
      m: () => this.calendar({ month: 'long' }),
      v: () => random.pick(language.verbs),
      V: () => random.pick(language.namesakes),
      w: () => random.pick(this.someWords()).toLowerCase(),
      W: () => this.noun(),
      yy: () => random.pattern('##'),
      y: () => random.pattern('#'),
      q: () => this.someone().last,
      c: () => this.city(),
      u: () => random.pattern('?'),
      law: () => random.pattern(random.pick(language.laws)),
      prod: () => random.pattern(random.pick(models)),
    }[slot];
    return made ? new Text().add(made()) : this.base.fill(`{${slot}}`);
  }

  private someone(): Someone {
    const { random } = this;
    const { people, first, last } = randomPerson(
      random,
      random.chance(ABROAD) ? random.weighted(this.world.peoples) : this.home,
    );
    const particle = people === this.home && random.chance(this.language.particleShare ?? 0);
    return {
      first,
      last: particle
        ? `${random.pick(this.language.particles ?? [])} ${last}`.replace("' ", "'")
        : last,
      woman: first.endsWith('a'),
    };
  }

  private name(kind: string, to: Case | null): string {
    const { random } = this;
    const { first, last, woman } = this.someone();
    const given = to ? firstName(first, to) : first;
    const agreed = woman && this.language.code === 'pl' ? feminine(last) : last;
    const family = to ? lastName(agreed, to, woman) : agreed;
    if (kind === 'F') return given;
    if (kind === 'L')
      return this.family(
        this.language.code === 'nl' && random.chance(0.5) ? capital(family) : family,
      );
    const whole = this.family(family);
    return random.weighted<() => string>([
      [70, () => `${given} ${whole}`],
      [8, () => `${given} ${this.someone().first} ${whole}`],
      [7, () => `${first.charAt(0)}. ${whole}`],
      [3, () => `${given} ${first.charAt(0)}. ${whole}`],
      [4, () => `${given}-${this.someone().first} ${whole}`],
      [4, () => `${given} ${whole.toUpperCase()}`],
      [2, () => `${given} ${whole}`.toUpperCase()],
      [2, () => `${whole}, ${given}`],
      [2, () => `${given} ${last.charAt(0)}.`],
      [2, () => `${whole.toUpperCase()} ${given}`],
      [2, () => `${first.charAt(0)}.${this.someone().first.charAt(0)}. ${whole}`],
      [1, () => `${first.charAt(0)}.-${this.someone().first.charAt(0)}. ${whole}`],
    ])();
  }

  /** First names as they follow a surname. */
  private given(): string {
    const { random } = this;
    const { first } = this.someone();
    return random.weighted<() => string>([
      [80, () => first],
      [8, () => `${first} ${this.someone().first}`],
      [6, () => `${first}-${this.someone().first}`],
      [6, () => `${first.charAt(0)}.`],
    ])();
  }

  /** A name with its possessive ending, which an apostrophe separates from the name. */
  private possessive(text: Text, name: string): void {
    const isDutch = this.language.code === 'nl';
    if (/[sxzß]$/i.test(name)) text.add(name, 'PERSON').add(this.random.pick(["'", '’']));
    else if (isDutch && /[aiouy]$/i.test(name) && this.random.chance(0.9))
      text.add(name, 'PERSON').add(this.random.pick(["'s", '’s']));
    else text.add(`${name}s`, 'PERSON');
  }

  /** A street that is named after a person. */
  private namedStreet(): string {
    const { random, home, language } = this;
    return random
      .pick(language.namedStreets)
      .replace('&', random.pick(home.first))
      .replace('*', random.pick(home.last));
  }

  /** A surname, double where that is usual. */
  private family(last: string): string {
    const { random, language } = this;
    if (language.twoSurnames && random.chance(0.5)) return `${last} ${this.someone().last}`;
    return random.chance(0.06) ? `${last}-${this.someone().last}` : last;
  }

  private somewhere() {
    return somewhere(
      this.random,
      this.world.places,
      this.home,
      this.random.pick(this.language.countries),
    );
  }

  private city(): string {
    return this.random.chance(0.1) ? this.base.address().city : this.somewhere().city;
  }

  private organization(): string {
    const { random, language, home, world } = this;
    const form = random.pick(language.organizations);
    if (random.chance(0.15) && !form.includes('-'))
      return form.replace(/ ?[*@#&],? ?/g, ' ').trim();
    return form.replace(/[*&@#]/g, (sign) => {
      if (sign === '*') return random.pick(home.last);
      if (sign === '&') return random.pick(home.first);
      return sign === '@' ? coin(random, world.business) : this.somewhere().city;
    });
  }

  private someWords(): readonly string[] {
    return this.random.chance(SELDOM) ? this.seldom : this.words;
  }

  /** A capitalised word: in German a noun, otherwise as at the start of a line or in a heading. */
  private noun(): string {
    const { random } = this;
    const words = this.someWords();
    for (let tries = 0; tries < 8; tries++) {
      const word = random.pick(words);
      if (this.language.code !== 'de' || /^\p{Lu}/u.test(word)) return capital(word);
    }
    return capital(random.pick(words));
  }

  private date(): string {
    const { random, language } = this;
    const day = random.int(1, 28);
    const number = random.int(1, 12);
    const pad = random.chance(0.6);
    const two = (value: number) => (pad ? String(value).padStart(2, '0') : String(value));
    const date = new Date(Date.UTC(2024, number - 1, day));
    const month =
      new Intl.DateTimeFormat(language.code, { month: 'long', day: 'numeric', timeZone: 'UTC' })
        .formatToParts(date)
        .find(({ type }) => type === 'month')?.value ?? '';
    return random.pick(language.dates).replace(/\b[DMnY]\b/g, (sign) => {
      if (sign === 'D') return two(day);
      if (sign === 'M') return month;
      return sign === 'n' ? two(number) : String(random.int(1938, 2027));
    });
  }

  private calendar(part: Intl.DateTimeFormatOptions): string {
    const date = new Date(Date.UTC(2024, this.random.int(0, 11), this.random.int(1, 28)));
    return new Intl.DateTimeFormat(this.language.code, { ...part, timeZone: 'UTC' }).format(date);
  }
}

const models = ['?-###', '??-##', '???-####', '?###', '?? ###', '##-??', 'X# Pro', '?#', '??### ?'];

function isCase(value: string): value is Case {
  return /^[gdilv]$/.test(value);
}

const feminine = (last: string) => last.replace(/([sc]k|dzk)i$/, '$1a');
