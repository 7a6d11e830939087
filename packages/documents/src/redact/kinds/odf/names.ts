import { type Attribute, walk, type XmlElement } from '../../../files/xml.ts';
import { addText, type HiddenStreams } from '../package/clean.ts';
import { namespaceOf } from './namespaces.ts';

/** Attributes that name a style, besides those that end with `style-name`. */
const styleReference =
  /style-name$|^(?:master-page-name|page-layout-name|fill-image-name|fill-gradient-name|fill-hatch-name|opacity-name|stroke-dash|marker-start|marker-end|font-name(?:-asian|-complex)?)$/;
/** Elements that define a style, by their name or the element that contains them. */
const styleDefinition =
  /^(?:style|list-style|page-layout|master-page|font-face|gradient|marker|hatch|fill-image|stroke-dash|opacity|(?:number|currency|percentage|date|time|boolean|text)-style|linearGradient|radialGradient)$/;
/** Names of styles that programs define, which are not searched for unknown values. */
const builtInName =
  /^(?:standard|default|heading|text|list|index|contents?|header|footer|table|caption|footnote|endnote|graphics?|frame|numbering|bullet|internet|visited|illustration|figure|drawing|object|title|subtitle|quotations?|preformatted|horizontal|marginalia|page|line|left|right|first|user|result|accent|status|note|hyperlink|outline|notes|background|master)(?:[ _-]|\d|$)/i;
/** Names that programs generate for automatic styles, such as `P12`. */
const automaticName = /^[A-Za-z]{1,4}\d{1,6}$/;

/** Returns a style name as people see it: `_20_` stands for a space (ODF 1.3 part 3, 19.502). */
const displayedName = (name: string): string =>
  name.replace(/_([0-9a-f]{1,6})_/g, (whole, code: string) => {
    const point = Number.parseInt(code, 16);
    return point >= 0x20 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/** Attributes with text that people wrote, on any element. */
const textAttributes = new Set(
  `display-name title name string-value label caption prefix suffix num-prefix num-suffix bullet-char
   equation text`.split(/\s+/),
);

/**
 * Reads names and texts in attributes. A style that is named after a removed value gets a new name,
 * the same in its definition and in all references.
 */
export function readNames(roots: readonly XmlElement[], { hidden, names }: HiddenStreams): void {
  const numbers = new Map<string, number>();
  const readStyleName = (one: Attribute, to: HiddenStreams['hidden']): void => {
    if (automaticName.test(one.value)) {
      one.machine = true;
      return;
    }
    const number = numbers.get(one.value) ?? numbers.size + 1;
    numbers.set(one.value, number);
    one.piece = addText(to, displayedName(one.value), `Redacted_${number}`);
  };
  for (const root of roots) {
    walk(root, (element) => {
      const isStyle = styleDefinition.test(element.local);
      for (const one of element.attributes) {
        const { local, uri, value } = one;
        if (one.piece || one.machine || value === '' || namespaceOf(uri) === null) continue;
        if (styleReference.test(local)) readStyleName(one, names);
        else if (local === 'name' && isStyle) {
          const isCustom = element.local !== 'font-face' && !builtInName.test(value);
          readStyleName(one, isCustom ? hidden : names);
        } else if (local === 'formula') one.piece = addText(names, value, '0');
        else if (textAttributes.has(local)) one.piece = addText(hidden, value);
      }
    });
  }
}
