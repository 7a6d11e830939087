import type { World } from '../fill.ts';
import type { Random } from '../random.ts';
import * as things from '../words/things.ts';

/** Parts of documents about things: numbers, measures, prices, names of goods and columns. */
export class Pieces {
  constructor(
    readonly random: Random,
    readonly world: World,
  ) {}

  lines(least: number, most: number, line: () => string): string {
    return Array.from({ length: this.random.int(least, most) }, line).join('\n');
  }

  /** One of the lists of capitalised things. */
  some(): readonly string[] {
    return this.random.pick([
      things.goods,
      things.business,
      things.interfaceWords,
      things.headings,
      things.technical,
      things.computing,
      things.labels,
      things.dishes,
      things.foods,
      things.defined,
      things.bodies,
      things.topics,
      this.world.products,
      this.world.things,
    ]);
  }

  listing(from: readonly string[]): string {
    const { random } = this;
    const one = () => (random.chance(0.06) ? this.acronym() : random.pick(from));
    const separator = random.pick([', ', ', ', ' | ', ' / ', ' · ', '; ', '\t', ' - ', ' > ', ' ']);
    const items = Array.from({ length: random.int(2, 8) }, one);
    const intro = random.chance(0.25) ? `${random.pick(things.headings)}: ` : '';
    const last = random.chance(0.2) ? ` ${random.pick(['and', '&', 'or'])} ${one()}` : '';
    return this.cased(intro + items.join(separator) + last + random.pick(['', '', '.']));
  }

  acronym(): string {
    return this.random.pattern(
      this.random.pick(['??', '???', '???', '????', '?&?', '??-?', '?#', '?/?']),
    );
  }

  cased(words: string): string {
    return this.random.weighted([
      [90, words],
      [6, words.toUpperCase()],
      [4, words.toLowerCase()],
    ]);
  }

  number(): string {
    return this.random.pattern(
      this.random.pick([
        '!',
        '!#',
        '!##',
        '!,###',
        '!.###',
        '!###',
        '!####',
        '!# ###',
        '0.##',
        '!.#',
        '!,#',
        '!#.##',
        '!##,##',
        '-!#',
        '(!##)',
        '!#/##',
        '!:!#',
      ]),
    );
  }

  /** Numbers of things: parts, standards, versions, lots, files. */
  thingNumber(): string {
    const { random } = this;
    const made = random.pattern(
      random.pick([
        '???-####-?',
        '!####',
        '?##-###',
        '##.##.##',
        '!###-!##',
        'v!.#.#',
        '#####/#',
        'M!#x!#',
        '??##',
        '!###?',
        '??/####/##',
        '###-##-?',
        '############',
        '?!',
        '!?',
        '!#-!#',
        '??-??-##',
        '####.####',
        '#/##',
        '??? #####',
        '?? ####',
        '???? ###',
        '??? ####-#',
      ]),
    );
    const kind = random.pick([
      '',
      '',
      '',
      'No. ',
      'Nr. ',
      '#',
      'EN ',
      'IEC ',
      'ISO ',
      'DIN ',
      'ASTM ',
      'BS ',
      'Art. ',
      'Part ',
      'Lot ',
      'Ref. ',
      'Typ ',
      'Model ',
      'Rev. ',
      'Fig. ',
      'Tab. ',
      'p. ',
      'Vol. ',
      'Réf. ',
      'Nº ',
      'Cód. ',
      'Batch ',
      'Line ',
      'Box ',
      'Rack ',
      'Bin ',
      'Zone ',
      'Dwg ',
      'CAS ',
      'UPC ',
      'GTIN ',
      'HS ',
      'P/N ',
      'S/N ',
    ]);
    return kind + made;
  }

  measure(): string {
    const { random } = this;
    // Some units are not on a list.
    const unknown = random.pattern(random.pick(['m?h', 'm?', 'k?', '?h', '?/?']));
    const listed = random.pick(
      'mm cm m km g kg t ml l dl V mV kV A mA W mW kW Ah mAh Wh kWh VA Hz kHz MHz GHz MB GB TB ms s min h °C K bar Pa kPa N Nm rpm dB lux lm % ‰ px pt em pcs pc. pairs sets sheets rolls boxes bottles pages rows items units Stück Stk. Paar Karton Flaschen Blatt pièces unités boîtes pzas unidades piezas cajas pezzi scatole stuks dozen doos szt. st stk m² m³ ft in. lb oz cups tbsp tsp cloves'.split(
        ' ',
      ),
    );
    const unit = random.chance(0.05) ? unknown : listed;
    const by = random.chance(0.15) ? ` ${random.pick(['x', '×'])} ${this.number()}` : '';
    return `${this.number()}${by}${random.chance(0.85) ? ' ' : ''}${unit}`;
  }

  price(): string {
    const amount = this.random.pattern(
      this.random.pick(['!.##', '!#.##', '!##.00', '!,##', '!#,##', '!.###,##', '!,###.##', '!##']),
    );
    return this.random.pick([
      amount,
      amount,
      amount,
      `${amount} EUR`,
      `€${amount}`,
      `$${amount}`,
      `${amount} €`,
      `£${amount}`,
      `CHF ${amount}`,
    ]);
  }

  good(): string {
    const { random } = this;
    const good = random.pick(
      random.pick([
        things.goods,
        things.goods,
        this.world.products,
        things.foods,
        this.world.things,
      ]),
    );
    return random.weighted<() => string>([
      [4, () => good],
      [3, () => `${good} ${random.pick(things.qualities)}`],
      [2, () => `${random.pick(things.qualities)} ${good}`],
      [2, () => `${good}, ${random.pick(things.qualities).toLowerCase()}, ${this.measure()}`],
      [2, () => `${good} ${this.thingNumber()}`],
      [1, () => `${good} (${random.pick(things.qualities)})`],
    ])();
  }

  /** Joined words, as in names in code and data columns. */
  identifier(words: string): string {
    const parts = words.replace(/[^\p{L}\d ]/gu, '').split(' ');
    const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
    return this.random.pick([
      () => parts.map((part, at) => (at === 0 ? part.toLowerCase() : capital(part))).join(''),
      () => parts.map(capital).join(''),
      () => parts.join('_').toLowerCase(),
      () => parts.join('_').toUpperCase(),
      () => parts.join('-').toLowerCase(),
    ])();
  }

  columnName(): string {
    const { random, world } = this;
    return random.pick([
      () => random.pick(things.labels),
      () => random.pick(things.business),
      () => random.pick(world.calendar),
      () =>
        random.pattern(
          random.pick([
            'Q!',
            '20##',
            'Week !#',
            'KW ##',
            'H1',
            'FY##',
            'Sample ?',
            'Group !',
            'Room ###',
            'Lane !',
          ]),
        ),
      () => random.pick(things.technical),
      () => random.pick(this.some()),
    ])();
  }
}
