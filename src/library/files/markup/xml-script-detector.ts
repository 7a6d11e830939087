import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { harmlessEntities } from './doctype.ts';
import { linksToScript, styleLinksToScript } from './script-links.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';
const activeElements = new Set(
  `script handler listener foreignobject iframe frame object embed applet meta base form portal
  stylesheet transform binding`.split(/\s+/),
);
const animationElements = new Set([
  'set',
  'animate',
  'animatetransform',
  'animatemotion',
  'discard',
]);
/** Thrown to stop the parser. */
const stopParsing = new Error('Already decided.');
const maxDepth = 256;
const maxAttributes = 256;
const maxStyleLength = 2 ** 20;

/**
 * Parses XML as it arrives, and detects content that a browser would run. As in a browser's parser,
 * names belong to namespaces, and entities in values are replaced. XML that it cannot parse counts as
 * scripted, since another parser may accept it.
 */
export class XmlScriptDetector {
  /** The local name of the root element, in lower case, once it is known. */
  root: string | null = null;
  /** Whether an element was in the SVG namespace. */
  hasSvgElement = false;
  /** Whether it contains something that a browser would or might run. */
  hasScript = false;
  isStopped = false;
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  #depth = 0;
  #attributes = 0;
  #style: string[] | null = null;
  #styleLength = 0;

  constructor() {
    const parser = this.#parser;
    const stop = (): never => this.stop();
    parser.on('error', stop);
    parser.on('xmldecl', ({ version }) => {
      if (version !== '1.0') stop();
    });
    parser.on('processinginstruction', ({ target }) => {
      // A style sheet may be XSLT, which can turn this document into any other.
      if (/^xml-stylesheet$|^xml$|^php$/i.test(target)) stop();
    });
    parser.on('doctype', (doctype) => {
      const entities = harmlessEntities(doctype);
      // Continue: the root element decides the type of the file.
      if (!entities) this.hasScript = true;
      for (const [name, value] of entities ?? []) parser.ENTITIES[name] = value;
    });
    parser.on('opentagstart', ({ name }) => {
      this.root ??= name.slice(name.indexOf(':') + 1).toLowerCase();
      this.#attributes = 0;
      if (this.hasScript) stop();
    });
    parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > maxAttributes) stop();
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => {
      this.#depth -= 1;
      if (this.#style && styleLinksToScript(this.#style.join(''))) stop();
      this.#style = null;
    });
    const addStyleText = (data: string): void => {
      if (!this.#style) return;
      this.#styleLength += data.length;
      if (this.#styleLength > maxStyleLength) stop();
      else this.#style.push(data);
    };
    parser.on('text', addStyleText);
    parser.on('cdata', addStyleText);
  }

  /** Parses the next part of the text. Has no effect after the parser was stopped. */
  write(text: string): void {
    this.#run(() => this.#parser.write(text));
  }

  /** Ends the text; elements that are still open are an error. */
  end(): void {
    this.#run(() => this.#parser.close());
  }

  #run(work: () => void): void {
    if (this.isStopped) return;
    try {
      work();
    } catch (error) {
      if (error !== stopParsing) throw error;
    }
  }

  /** Stops the parser, which would otherwise report every resulting error. */
  stop(): never {
    this.hasScript = true;
    this.isStopped = true;
    throw stopParsing;
  }

  #open(tag: SaxesTagNS): void {
    const name = tag.local.toLowerCase();
    this.hasSvgElement ||= tag.uri === svgNamespace;
    this.#depth += 1;
    const attributes = Object.values(tag.attributes);
    if (
      this.#depth > maxDepth ||
      activeElements.has(name) ||
      tag.uri.trim() === xhtmlNamespace ||
      attributes.some(isActiveAttribute) ||
      (animationElements.has(name) && attributes.some(animatesLink))
    ) {
      this.stop();
    }
    if (name === 'style') {
      this.#style = [];
      this.#styleLength = 0;
    }
  }
}

function isActiveAttribute({ name, local, value }: SaxesAttributeNS): boolean {
  const lowerName = local.toLowerCase();
  if (name.startsWith('xmlns')) return value.trim() === xhtmlNamespace;
  return (
    /^on[a-z]{2,}/.test(lowerName) ||
    linksToScript(value) ||
    (lowerName === 'style' && styleLinksToScript(value))
  );
}

function animatesLink({ local, value }: SaxesAttributeNS): boolean {
  if (local.toLowerCase() !== 'attributename') return false;
  const target = value.trim().toLowerCase();
  return /^on|(?:^|:)(?:href|src|base|style)$/.test(target);
}
