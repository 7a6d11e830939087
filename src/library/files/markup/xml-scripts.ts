import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { harmlessEntities } from './doctype.ts';
import { leadsToScript, styleLeadsToScript } from './values.ts';

const svg = 'http://www.w3.org/2000/svg';
const xhtml = 'http://www.w3.org/1999/xhtml';
const running = new Set([
  ...['script', 'handler', 'listener', 'foreignobject', 'iframe', 'frame', 'object', 'embed'],
  ...['applet', 'meta', 'base', 'form', 'portal', 'stylesheet', 'transform', 'binding'],
]);
const animations = new Set(['set', 'animate', 'animatetransform', 'animatemotion', 'discard']);
/** Thrown to leave the parser. */
const decided = new Error('Already decided.');
const maxDepth = 256;
const maxAttributes = 256;
const maxStyle = 2 ** 20;

/**
 * Parses XML as it arrives and detects content that a browser would run, by the rules of a
 * browser's parser: names in their namespaces, values after entities are replaced. XML that it
 * cannot parse counts as scripted, since another parser may accept it.
 */
export class XmlScripts {
  /** The local name of the root element, in lower case, once it is known. */
  root: string | null = null;
  /** Whether an element was in the SVG namespace. */
  drawn = false;
  /** Whether it runs something, or may. */
  found = false;
  #done = false;
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  #depth = 0;
  #attributes = 0;
  #style: string[] | null = null;
  #styleLength = 0;

  constructor() {
    const parser = this.#parser;
    const yes = (): never => this.#yes();
    parser.on('error', yes);
    parser.on('xmldecl', ({ version }) => {
      if (version !== '1.0') yes();
    });
    parser.on('processinginstruction', ({ target }) => {
      // A style sheet may be XSLT, which can turn this document into any other.
      if (/^xml-stylesheet$|^xml$|^php$/i.test(target)) yes();
    });
    parser.on('doctype', (doctype) => {
      const entities = harmlessEntities(doctype);
      // Continue: the root element decides the type of the file.
      if (!entities) this.found = true;
      for (const [name, value] of entities ?? []) parser.ENTITIES[name] = value;
    });
    parser.on('opentagstart', ({ name }) => {
      this.root ??= name.slice(name.indexOf(':') + 1).toLowerCase();
      this.#attributes = 0;
      if (this.found) yes();
    });
    parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > maxAttributes) yes();
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => {
      this.#depth -= 1;
      if (this.#style && styleLeadsToScript(this.#style.join(''))) yes();
      this.#style = null;
    });
    const text = (data: string): void => {
      if (!this.#style) return;
      this.#styleLength += data.length;
      if (this.#styleLength > maxStyle) yes();
      else this.#style.push(data);
    };
    parser.on('text', text);
    parser.on('cdata', text);
  }

  /** Parses the next text; has no effect after something was found. */
  write(text: string): void {
    this.#run(() => this.#parser.write(text));
  }

  /** Ends the text; elements that are still open are an error. */
  end(): void {
    this.#run(() => this.#parser.close());
  }

  #run(work: () => void): void {
    if (this.#done) return;
    try {
      work();
    } catch (error) {
      if (error !== decided) throw error;
    }
  }

  /** Leaves the parser, which would otherwise report every resulting error. */
  #yes(): never {
    this.found = true;
    this.#done = true;
    throw decided;
  }

  #open(tag: SaxesTagNS): void {
    const name = tag.local.toLowerCase();
    this.drawn ||= tag.uri === svg;
    this.#depth += 1;
    const attributes = Object.values(tag.attributes);
    if (
      this.#depth > maxDepth ||
      running.has(name) ||
      tag.uri.trim() === xhtml ||
      attributes.some(runs) ||
      (animations.has(name) && attributes.some(animatesLink))
    ) {
      this.#yes();
    }
    if (name === 'style') {
      this.#style = [];
      this.#styleLength = 0;
    }
  }
}

function runs({ name, local, value }: SaxesAttributeNS): boolean {
  const plain = local.toLowerCase();
  if (name.startsWith('xmlns')) return value.trim() === xhtml;
  return (
    /^on[a-z]{2,}/.test(plain) ||
    leadsToScript(value) ||
    (plain === 'style' && styleLeadsToScript(value))
  );
}

function animatesLink({ local, value }: SaxesAttributeNS): boolean {
  if (local.toLowerCase() !== 'attributename') return false;
  const target = value.trim().toLowerCase();
  return /^on|(?:^|:)(?:href|src|base|style)$/.test(target);
}
