/** Detects signs of a script in markup, for any parser (HTML, XML). Prefers false positives. */

// Every pattern is linear: they run in the API process, on untrusted input.
const ACTIVE_PATTERNS: readonly RegExp[] = [
  /<(?:[^\s<>/:"'=]{1,64}:)?(?:script|handler|iframe|frame|object|embed|applet|foreignobject)[\s/>]/i,
  /(?:^|[\s"'/])on[a-z]{3,}\s*=/i,
  /(?:java|vb)script\s*:/i,
  /data\s*:\s*(?:text\/html|image\/svg\+xml|application\/xhtml\+xml|text\/xml)/i,
  // Animation can set an event handler or a link: <set attributeName="onclick" …>.
  /attributename\s*=[\s"']*(?:on[a-z]|(?:xlink:)?href)/i,
  /<\?xml-stylesheet\b/i,
  /http-equiv\s*=[\s"']*refresh/i,
  // References are only padded like this to evade detection.
  /&#x?0{7}/i,
];

/** The characters kept of a piece, so that every pattern can match across the boundary to the next. */
export const OVERLAP = 1024;

/** Whether the text contains a script, an event handler or a link to a script. */
export function hasActiveContent(text: string): boolean {
  if (ACTIVE_PATTERNS.some((pattern) => pattern.test(text))) return true;
  const decoded = decodeReferences(text);
  return decoded !== text && ACTIVE_PATTERNS.some((pattern) => pattern.test(decoded));
}

/**
 * Decodes character references, and characters that parsers skip in a scheme: java&#9;script,
 * java\nscript.
 */
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
