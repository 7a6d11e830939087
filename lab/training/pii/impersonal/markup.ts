import type { Pieces } from './pieces.ts';

export function markup(p: Pieces): string {
  const { random, world } = p;
  const word = () =>
    random.pick(random.pick([world.words.nouns, world.words.adjectives, world.words.common]));
  const some = () => random.pick(p.some());
  const value = () =>
    random.pick([
      () => p.identifier(some()),
      () => some(),
      () => `${word()}-${word()}`,
      () =>
        `${word()}${random.pick(['-sm', '-lg', '__item', '--active', '-wrapper', ' col-6', ' Large', ' is-open'])}`,
      () => p.number(),
      () => `${random.int(1, 100)}${random.pick(['px', '%', 'em', 'rem', 'vh'])}`,
      () =>
        random.pick([
          'left',
          'right',
          'Center',
          'top',
          'true',
          'False',
          'none',
          'auto',
          'Button',
          'Submit',
          'navigation',
          'hidden',
          '_blank',
          'text/css',
          'utf-8',
          'en',
          'Dialog',
          'Checkbox',
          'Header',
          'Footer',
          'Main',
          'Sidebar',
          'Times',
          'Verdana',
          'Courier',
          'DarkBlue',
          'Tomato',
          'Salmon',
          'Orchid',
          'Khaki',
          'Lavender',
          'Crimson',
          'Chocolate',
        ]),
    ])();
  const attribute = () =>
    `${random.pick(['class', 'id', 'name', 'title', 'alt', 'role', 'type', 'value', 'style', 'href', 'src', 'for', 'lang', 'rel', 'target', 'width', 'height', 'align', 'data-name', 'data-title', 'data-id', 'aria-label', 'placeholder', 'content', 'summary', 'label', 'scope', 'headers', 'w:val', 'Style', 'Type', 'sheetId', 'r:id'])}="${value()}"`;
  const tag = () =>
    random.pick([
      'div',
      'span',
      'p',
      'td',
      'th',
      'li',
      'a',
      'h1',
      'h2',
      'h3',
      'b',
      'em',
      'label',
      'button',
      'option',
      'section',
      'title',
      'dt',
      'dd',
      'figcaption',
      'Cell',
      'item',
      'Row',
      'w:t',
      'entry',
      'para',
    ]);
  const element = () => {
    const name = tag();
    const attributes = Array.from({ length: random.int(0, 3) }, () => ` ${attribute()}`).join('');
    return `<${name}${attributes}>${random.pick([some(), some(), '', word(), `${some()} ${p.number()}`, p.measure()])}</${name}>`;
  };
  const line = () =>
    random.weighted<() => string>([
      [6, element],
      [
        2,
        () =>
          `<${random.pick(['input', 'img', 'meta', 'link', 'br', 'hr', 'source', 'col'])} ${attribute()} ${attribute()}>`,
      ],
      [4, value],
      [2, () => `${value()} ${value()} ${value()}`],
      [2, () => attribute()],
      [
        2,
        () =>
          `${random.pick(['font-family', 'color', 'text-align', 'background', 'display', 'width'])}: ${value()}; ${random.pick(['margin', 'border', 'float', 'position'])}: ${value()}`,
      ],
      [1, () => `[${some()}](#${p.identifier(some())})`],
      [1, () => `**${some()}**: ${word()} \`${p.identifier(some())}\` ${word()}`],
      [1, () => `- [${random.pick([' ', 'x'])}] ${some()}`],
      [1, () => `| ${some()} | ${some()} | ${p.number()} |`],
    ])();
  return p.lines(1, 6, line);
}
