/*
 * Determines how HTML elements and attributes are redacted. Elements and attributes that are not
 * listed here are dropped.
 */

import { isDark } from './styles.ts';

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/**
 * Elements that are code, or that contain or load other documents. They are dropped with their
 * content.
 */
export const removedElements =
  wordSet(`script style link iframe frame frameset noframes object embed
  applet noembed base param portal fencedframe annotation-xml foreignobject`);

/**
 * Elements of HTML, and the drawing elements of SVG and MathML. Names of other elements may be
 * text.
 */
export const knownElements = wordSet(`html head body title meta h1 h2 h3 h4 h5 h6 p div span section
  article aside header footer nav main address hgroup blockquote pre ol ul li dl dt dd menu dir
  figure figcaption hr br wbr a abbr acronym b bdi bdo big center cite code data del dfn em font i ins
  kbd label mark marquee q rb rp rt rtc ruby s samp small strike strong sub sup time tt u var nobr
  table caption colgroup col thead tbody tfoot tr td th form fieldset legend input button select
  datalist optgroup option textarea output progress meter details summary dialog search img picture
  source audio video track map area canvas template slot noscript xmp listing plaintext
  svg g path rect circle ellipse line polyline polygon text tspan textpath desc defs use symbol
  lineargradient radialgradient stop clippath mask pattern marker image
  math mi mo mn mtext mrow mfrac msup msub msqrt mroot mtable mtr mtd mover munder msubsup munderover
  mspace mstyle semantics mfenced mpadded mphantom ms menclose`);

/**
 * Attributes with text for readers. Attributes that start with `data-` or `aria-` are treated in
 * the same way.
 */
const textAttributes =
  wordSet(`alt title value placeholder content label summary abbr download datetime
  standby prompt accesskey aria-label srclang pattern accept accept-charset min max step low high
  optimum kind scheme version`);

/** Attributes with a URL. */
const urlAttributes =
  wordSet(`href src action formaction cite longdesc background poster ping manifest
  usemap xlink:href profile classid codebase data lowsrc dynsrc icon archive`);

/** Attributes with lists of URLs or whole documents. They are dropped. */
const droppedAttributes = wordSet(`srcset imagesrcset srcdoc nonce integrity attributionsrc`);

/**
 * Attributes with keywords, numbers or flags. They are kept unchanged if they contain a common keyword
 * or short numbers. Other values are replaced if they contain a value that was found elsewhere.
 */
const keywordAttributes =
  wordSet(`type rel rev width height colspan rowspan align valign dir lang hreflang
  xml:lang hidden checked selected disabled readonly required multiple method enctype border
  cellpadding cellspacing color size maxlength minlength tabindex role scope charset media
  loading decoding crossorigin target wrap rows cols span start reversed shape coords nowrap clear
  frameborder allowfullscreen autocomplete autofocus controls loop muted autoplay preload xmlns
  xmlns:xlink viewbox fill stroke d transform x y x1 x2 y1 y2 cx cy r rx ry points preserveaspectratio
  http-equiv stroke-width fill-rule clip-rule spellcheck contenteditable draggable translate open
  inputmode face hspace vspace language itemscope`);

/**
 * Names that are referenced elsewhere. Only values that were found elsewhere are replaced in them.
 */
const nameAttributes = wordSet(`class id for name headers list form aria-labelledby aria-describedby
  aria-controls aria-owns itemprop itemtype property itemid slot part key`);

type AttributeUse = 'drop' | 'target' | 'text' | 'name' | 'keep';

/** Keywords that may also be names of people, so that they are not searched. */
const commonKeywords =
  wordSet(`left right center top middle bottom black white gray brown green blue
  red gold olive navy silver rose pink violet button text search file date reset submit hidden range
  color month week time number page row col auto all none round square circle`);

/** Whether the value of an attribute is a common keyword, or short numbers. */
export const isKeyword = (name: string, value: string): boolean =>
  keywordAttributes.has(name.toLowerCase()) &&
  (commonKeywords.has(value.toLowerCase()) ||
    (/^[\d#%.,:;/ +()-]{0,64}$/.test(value) && !/\d{5}|(?:\d[ ./()-]*){9}/.test(value)));

/**
 * Returns the treatment of an attribute, whose name is in lower case. Event handlers and attributes
 * with unknown names are dropped.
 */
export function attributeUse(element: string, name: string, value: string): AttributeUse {
  if (name.startsWith('on') || droppedAttributes.has(name)) return 'drop';
  if (element === 'meta' && /^(refresh|content-security-policy)$/i.test(value)) return 'drop';
  if (urlAttributes.has(name)) return 'target';
  // Letters in the background colour are read, but people do not see them.
  if (name === 'color' && !isDark(value)) return 'drop';
  if (keywordAttributes.has(name)) return isKeyword(name, value) ? 'keep' : 'name';
  if (nameAttributes.has(name)) return 'name';
  if (name === 'style') return 'name';
  return textAttributes.has(name) || /^(data|aria)-[\w.-]+$/.test(name) ? 'text' : 'drop';
}
