/*
 * Styles that text may have. With any of them, the displayed letters and their order are those that
 * are read.
 */

const lengthValue = /^(?:auto|0|\d{1,4}(?:\.\d{1,4})?(?:px|pt|pc|em|rem|ex|ch|%|cm|mm|in)?)$/i;
const lengthList = {
  test: (value: string) => value.split(/\s+/).every((one) => lengthValue.test(one)),
};
const keywords = /^[a-z-]{1,30}(?: [a-z-]{1,30}){0,5}$/i;
/** Minimum font size of letters that people can read beside other letters. */
const minFontSize = { px: 7, pt: 5, em: 0.5, rem: 0.5, '%': 50 } as const;
const fontSize = {
  test(value: string): boolean {
    if (/^(?:x{0,2}-)?(?:small|large)(?:er|r)?$|^medium$/i.test(value)) return true;
    const [, number = '', unit = ''] =
      /^(\d{1,3}(?:\.\d{1,4})?)(px|pt|em|rem|%)$/i.exec(value) ?? [];
    const minimum = Object.entries(minFontSize).find(([name]) => name === unit.toLowerCase())?.[1];
    return minimum !== undefined && Number(number) >= minimum;
  },
};
const border = {
  test: (value: string) =>
    value
      .split(/\s+/)
      .every((one) => keywords.test(one) || lengthValue.test(one) || /^#[0-9a-f]{3,6}$/i.test(one)),
};

const keptProperties: Readonly<Record<string, { test(value: string): boolean }>> = {
  color: { test: isDark },
  display: /^(?:none|block|inline|inline-block|list-item)$/i,
  'font-family': /^[\w ,-]{1,100}$/,
  'font-size': fontSize,
  'font-style': keywords,
  'font-weight': /^(?:[a-z]+|[1-9]00)$/i,
  'text-align': /^(?:left|right|center|start|end|justify)$/i,
  'text-decoration': keywords,
  'vertical-align': keywords,
  'white-space': /^(?:normal|nowrap|pre|pre-wrap|pre-line)$/i,
  'list-style-type': /^(?:none|disc|circle|square|decimal|[a-z]+-(?:alpha|roman|greek))$/i,
  'border-collapse': keywords,
  'page-break-before': keywords,
  'page-break-after': keywords,
};
const propertyFamilies: readonly [name: RegExp, value: { test(value: string): boolean }][] = [
  [/^(?:margin|padding)(?:-(?:top|right|bottom|left))?$/, lengthList],
  [/^(?:min-|max-)?(?:width|height)$/, lengthValue],
  [/^border(?:-(?:top|right|bottom|left))?(?:-(?:width|style|color))?$/, border],
];

/**
 * Returns the kept declarations of a `style` attribute. Of declarations with the same name, the
 * last one is kept.
 */
export function keptStyle(style: string): string {
  const declarations = new Map<string, string>();
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim();
    const rule = Object.hasOwn(keptProperties, name) ? keptProperties[name] : familyOf(name);
    if (rule?.test(value)) declarations.set(name, value.toLowerCase());
  }
  return [...declarations].map(([name, value]) => `${name}:${value}`).join(';');
}

const familyOf = (name: string): { test(value: string): boolean } | undefined =>
  propertyFamilies.find(([pattern]) => pattern.test(name))?.[1];

/** Whether a colour is visible on white. Background colours are not kept. */
export function isDark(colour: string): boolean {
  if (
    /^(?:black|maroon|red|green|navy|blue|purple|teal|gray|grey|darkred|darkblue|darkgreen|brown|windowtext)$/i.test(
      colour,
    )
  ) {
    return true;
  }
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i
    .exec(colour)
    ?.slice(1)
    .map((digit) => digit + digit);
  const parts = short ?? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour)?.slice(1);
  const decimal = /^rgb\((\d{1,3}), ?(\d{1,3}), ?(\d{1,3})\)$/i.exec(colour)?.slice(1).map(Number);
  const [red, green, blue] = parts?.map((part) => Number.parseInt(part, 16)) ?? decimal ?? [];
  if (red === undefined || green === undefined || blue === undefined) return false;
  return 0.3 * red + 0.59 * green + 0.11 * blue < 160;
}

/** Whether an element with this kept style is displayed. */
export const isShown = (style: string): boolean => !/(?:^|;)display:none(?:;|$)/.test(style);

/** Whether a style displays letters from right to left, regardless of their script. */
export const isReversing = (style: string): boolean =>
  /(?:^|;)\s*unicode-bidi\s*:\s*(?:bidi|isolate)-override/i.test(style) &&
  /(?:^|;)\s*direction\s*:\s*rtl/i.test(style);
