/** Whether markup (SVG, HTML) would run something where it is shown. Errs on the side of yes. */
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';

// Every pattern is linear: this runs beside the API, on what strangers send.
const ACTIVE: readonly RegExp[] = [
  /<(?:[\w.-]+:)?(?:script|handler|iframe|frame|object|embed|applet|foreignobject)[\s/>]/i,
  /(?:^|[\s"'/])on[a-z]{3,}\s*=/i,
  /(?:java|vb)script\s*:/i,
  /data\s*:\s*(?:text\/html|image\/svg\+xml|application\/xhtml\+xml|text\/xml)/i,
  // Animation may set an event handler or a link: <set attributeName="onclick" …>.
  /attributename\s*=[\s"']*(?:on[a-z]|(?:xlink:)?href)/i,
  /<\?xml-stylesheet\b/i,
  /http-equiv\s*=[\s"']*refresh/i,
];

// What drawing programs write; any other entity could put a script together out of pieces.
const HARMLESS_ENTITY =
  /^<!entity\s{1,8}[\w.-]{1,64}\s{1,8}(["'])https?:\/\/[\w./#:?=~-]{0,256}\1\s{0,8}>/i;

// Long enough for every pattern above to be found across the border of two pieces.
const OVERLAP = 1024;

/** True when the text holds a script, an event handler or something that leads to one. */
export function hasActiveContent(text: string): boolean {
  const plain = decodeReferences(text);
  return ACTIVE.some((pattern) => pattern.test(text) || pattern.test(plain)) || hidesEntity(text);
}

function hidesEntity(text: string): boolean {
  for (const { index } of text.matchAll(/<!entity/gi)) {
    if (!HARMLESS_ENTITY.test(text.slice(index, index + 512))) return true;
  }
  return false;
}

/** The same for a stream of any length, in pieces. */
export async function scanForScripts(stream: Readable): Promise<boolean> {
  let decoder: TextDecoder | undefined;
  let rest = '';
  for await (const piece of stream) {
    const chunk: unknown = piece;
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A stream of bytes is needed.');
    decoder ??= new TextDecoder(encodingOf(chunk));
    const text = rest + decoder.decode(chunk, { stream: true });
    if (hasActiveContent(text)) {
      stream.destroy();
      return true;
    }
    rest = text.slice(-OVERLAP);
  }
  return false;
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Character references, and what parsers skip inside a scheme: java&#9;script, java\nscript. */
function decodeReferences(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/&(?:tab|newline);/gi, '')
    .replace(/&colon;/gi, ':')
    .replace(/([a-z])[\t\r\n]+(?=[a-z:])/gi, '$1');
}
