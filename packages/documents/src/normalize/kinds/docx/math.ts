import {
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import { commandOf, functionNames, operatorCommands, texText } from './math-symbols.ts';
import { isOn, valOf } from './styles.ts';

/** The maximum depth of a formula. Deeper content is reduced to its letters. */
const maxDepth = 40;

/** Returns a formula of Office (OMML, ECMA-376 part 1, 22.1) as LaTeX. */
export const latexOf = (math: XmlElement): string =>
  childrenToLatex(math, 0).replace(/ {2,}/g, ' ').trim();

const childrenToLatex = (element: XmlElement, depth: number): string =>
  depth > maxDepth
    ? texText(xmlText(element))
    : elementsOf(element)
        .map((child) => elementToLatex(child, depth + 1))
        .join('');

function elementToLatex(element: XmlElement, depth: number): string {
  const part = (name: string): string => {
    const found = childOf(element, name);
    return found ? childrenToLatex(found, depth) : '';
  };
  const properties = childOf(element, `${element.local}Pr`);
  const sign = (name: string): string | undefined => valOf(properties, name);
  switch (element.local) {
    case 'r':
      return runToLatex(element);
    case 'f':
      return fractionToLatex(sign('type'), part('num'), part('den'));
    case 'sSup':
      return `${scriptBase(element, part('e'))}^{${part('sup')}}`;
    case 'sSub':
      return `${scriptBase(element, part('e'))}_{${part('sub')}}`;
    case 'sSubSup':
      return `${scriptBase(element, part('e'))}_{${part('sub')}}^{${part('sup')}}`;
    case 'sPre':
      return `{}_{${part('sub')}}^{${part('sup')}}${part('e')}`;
    case 'rad': {
      const degree = isOn(properties, 'degHide') === true ? '' : part('deg').trim();
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${part('e')}}`;
    }
    case 'nary': {
      const command = operatorCommands.get(sign('chr') ?? '∫') ?? commandOf(sign('chr') ?? '∫');
      return `${command}_{${part('sub')}}^{${part('sup')}}${part('e')}`;
    }
    case 'd':
      return delimitersToLatex(element, properties, depth);
    case 'func':
      return functionToLatex(element, depth);
    case 'limLow':
      return `${part('e')}_{${escapeSpaces(part('lim'))}}`;
    case 'limUpp':
      return `\\overset{${escapeSpaces(part('lim'))}}{${part('e')}}`;
    case 'm':
      return `\\begin{matrix}${rowsToLatex(element, 'mr', depth)}\\end{matrix}`;
    case 'eqArr': {
      const lines = elementsOf(element)
        .filter(({ local }) => local === 'e')
        .map((line) => childrenToLatex(line, depth));
      return lines.length === 1
        ? lines.join('')
        : `\\begin{array}{l}${lines.join('\\\\ ')}\\end{array}`;
    }
    case 'acc':
      return `${accents.get(sign('chr') ?? '\u0302') ?? '\\hat'}{${part('e')}}`;
    case 'bar':
      return `${sign('pos') === 'top' ? '\\overline' : '\\underline'}{${part('e')}}`;
    case 'groupChr': {
      const over = sign('pos') === 'top' || sign('chr') === '⏞';
      return `${over ? '\\overbrace' : '\\underbrace'}{${part('e')}}`;
    }
    case 'borderBox':
      return `\\boxed{${part('e')}}`;
    case 'del':
    case 'moveFrom':
      return '';
    default:
      // Boxes, phantoms and tracked insertions are replaced by their content. Properties are
      // ignored.
      return /Pr$/.test(element.local) ? '' : childrenToLatex(element, depth);
  }
}

/** Returns the base of a script, grouped if it is longer than one unit. */
function scriptBase(element: XmlElement, text: string): string {
  const inner = elementsOf(childOf(element, 'e') ?? { ...element, children: [] }).filter(
    ({ local }) => !/Pr$/.test(local),
  );
  const [only] = inner;
  const isSingleUnit =
    inner.length === 1 &&
    (only?.local === 'd' || (only?.local === 'r' && [...xmlText(only).trim()].length <= 1));
  const isSimple = /^\s*(?:\\[a-zA-Z]+|[^\\]?)\s*$/u.test(text) || /^\d+$/.test(text);
  return isSingleUnit || isSimple ? text : `{${text}}`;
}

function runToLatex(element: XmlElement): string {
  const text = elementsOf(element)
    .filter(({ local }) => local === 't')
    .map(xmlText)
    .join('');
  const properties = childOf(element, 'rPr');
  if (properties && isOn(properties, 'nor') === true && /\p{L}{2}/u.test(text)) {
    return `\\text{${text.replace(/[\\{}$%#&_]/g, '\\$&')}}`;
  }
  return texText(text);
}

function fractionToLatex(type: string | undefined, num: string, den: string): string {
  if (type === 'noBar') return `\\genfrac{}{}{0pt}{}{${num}}{${den}}`;
  if (type === 'lin') return `{${num}}/{${den}}`;
  return `\\frac{${num}}{${den}}`;
}

/**
 * Returns text below or above an operator. Its words keep their spaces, which have no effect
 * between commands.
 */
const escapeSpaces = (text: string): string =>
  text.includes('\\') ? text.trim() : text.trim().replaceAll(' ', '\\ ');

const bracketToLatex = (sign: string): string => {
  if (sign === '') return '.';
  return /[{}]/.test(sign) ? `\\${sign}` : commandOf(sign).trim();
};

function delimitersToLatex(
  element: XmlElement,
  properties: XmlElement | undefined,
  depth: number,
): string {
  const sign = (name: string, otherwise: string): string => {
    const found = childOf(properties, name);
    return found ? (attributeValue(found, 'val') ?? '') : otherwise;
  };
  const parts = elementsOf(element)
    .filter(({ local }) => local === 'e')
    .map((part) => childrenToLatex(part, depth));
  const separator = commandOf(sign('sepChr', '|'));
  const open = bracketToLatex(sign('begChr', '('));
  const close = bracketToLatex(sign('endChr', ')'));
  return `\\left${open}${parts.join(separator)}\\right${close}`;
}

/**
 * Writes a function with an upright name. The argument gets parentheses unless it already has them
 * or the function has limits.
 */
function functionToLatex(element: XmlElement, depth: number): string {
  const name = childOf(element, 'fName');
  const argumentElement = childOf(element, 'e');
  const nameLatex = name ? childrenToLatex(name, depth).trim() : '';
  const argument = argumentElement ? childrenToLatex(argumentElement, depth) : '';
  const [word = ''] = /^[a-zA-Z]*/.exec(nameLatex) ?? [];
  const suffix = nameLatex.slice(word.length);
  const command = functionNames.has(word)
    ? `\\${word}`
    : word.length > 1
      ? `\\operatorname{${word}}`
      : word;
  const hasParentheses = suffix !== '' || /^\s*(\\left|\(|\{)/.test(argument);
  return command + suffix + (hasParentheses ? argument : `(${argument})`);
}

const rowsToLatex = (element: XmlElement, local: string, depth: number): string =>
  elementsOf(element)
    .filter((child) => child.local === local)
    .map((row) =>
      elementsOf(row)
        .filter((cell) => cell.local === 'e')
        .map((cell) => childrenToLatex(cell, depth))
        .join('&'),
    )
    .join('\\\\ ');

const accents = new Map([
  ['\u0300', '\\grave'],
  ['\u0301', '\\acute'],
  ['\u0302', '\\hat'],
  ['\u0303', '\\tilde'],
  ['\u0304', '\\bar'],
  ['\u0305', '\\overline'],
  ['\u0306', '\\breve'],
  ['\u0307', '\\dot'],
  ['\u0308', '\\ddot'],
  ['\u030c', '\\check'],
  ['\u0332', '\\underline'],
  ['\u20d7', '\\vec'],
  ['\u20db', '\\dddot'],
  ['^', '\\hat'],
  ['~', '\\tilde'],
  ['¯', '\\bar'],
  ['→', '\\vec'],
]);
