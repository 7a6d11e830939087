/** Signs of a script in the text of markup, whatever reads it (HTML, XML). Errs on the side of yes. */

// Every pattern is linear: this runs beside the API, on what strangers send.
const ACTIVE: readonly RegExp[] = [
  /<(?:[^\s<>/:"'=]{1,64}:)?(?:script|handler|iframe|frame|object|embed|applet|foreignobject)[\s/>]/i,
  /(?:^|[\s"'/])on[a-z]{3,}\s*=/i,
  /(?:java|vb)script\s*:/i,
  /data\s*:\s*(?:text\/html|image\/svg\+xml|application\/xhtml\+xml|text\/xml)/i,
  // Animation may set an event handler or a link: <set attributeName="onclick" …>.
  /attributename\s*=[\s"']*(?:on[a-z]|(?:xlink:)?href)/i,
  /<\?xml-stylesheet\b/i,
  /http-equiv\s*=[\s"']*refresh/i,
  // Nobody pads a reference like this but to push it past the end of what is looked at.
  /&#x?0{7}/i,
];

/** Long enough for every pattern to be found across the border of two pieces. */
export const OVERLAP = 1024;

/** True when the text holds a script, an event handler or something that leads to one. */
export function hasActiveContent(text: string): boolean {
  if (ACTIVE.some((pattern) => pattern.test(text))) return true;
  const plain = decodeReferences(text);
  return plain !== text && ACTIVE.some((pattern) => pattern.test(plain));
}

/** Character references, and what parsers skip inside a scheme: java&#9;script, java\nscript. */
function decodeReferences(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]{1,13})|(\d{1,14}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/&(?:tab|newline);/gi, '')
    .replace(/&colon;/gi, ':')
    .replace(/([a-z])[\t\r\n]+(?=[a-z:])/gi, '$1');
}
