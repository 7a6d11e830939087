import { attributeValue, childOf, elementsOf, type XmlElement } from '../../../files/xml.ts';
import { toRoman } from '../roman.ts';

/** The marker of a paragraph: a symbol, or a counter with a start value; null for plain text. */
export type Bullet = { kind: 'sign' } | { kind: 'counter'; type: string; start: number } | null;

/**
 * Returns the bullet that paragraph or level properties declare: null for no bullet, undefined if
 * they declare nothing.
 */
function declaredBullet(properties: XmlElement | undefined): Bullet | undefined {
  for (const child of elementsOf(properties)) {
    if (child.local === 'buNone') return null;
    if (child.local === 'buChar' || child.local === 'buBlip') return { kind: 'sign' };
    if (child.local === 'buAutoNum') {
      const start = Number(attributeValue(child, 'startAt') ?? '1');
      return {
        kind: 'counter',
        type: attributeValue(child, 'type') ?? 'arabicPeriod',
        start: Number.isInteger(start) && start > 0 && start < 1e6 ? start : 1,
      };
    }
  }
  return undefined;
}

/**
 * Returns the bullet of a paragraph: from its properties, or else from the first list style that
 * declares one for its level (ECMA-376 part 1, 21.1.2.4).
 */
export function bulletOf(
  properties: XmlElement | undefined,
  level: number,
  styles: readonly (XmlElement | undefined)[],
): Bullet {
  const declared = declaredBullet(properties);
  if (declared !== undefined) return declared;
  for (const style of styles) {
    const found = declaredBullet(childOf(style, `lvl${level + 1}pPr`));
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns a counter in the format of its type, such as `3.`, `c)` or `iv.`. */
export function counterText(type: string, number: number): string {
  const lowercaseText = /^alpha/.test(type)
    ? String.fromCharCode(97 + ((number - 1) % 26))
    : /^roman/.test(type) && number < 4000
      ? toRoman(number)
      : String(number);
  const text = /Uc/.test(type) ? lowercaseText.toUpperCase() : lowercaseText;
  if (/ParenBoth$/.test(type)) return `(${text})`;
  return /ParenR$/.test(type) ? `${text})` : `${text}.`;
}
