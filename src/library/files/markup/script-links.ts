/**
 * Whether the value of an attribute or a style sheet refers to a script. Runs in the API process on
 * untrusted input: every pattern is linear.
 */

const harmlessData =
  /^data:(?:image\/(?:png|jpe?g|pjpeg|gif|webp|avif|bmp|tiff)|font\/|application\/(?:x-)?font)/;
const base64Picture =
  /^\s*data:image\/(?:png|jpe?g|gif|webp|avif|bmp|tiff);base64,[A-Za-z0-9+/=\s]*$/i;
const scriptScheme = /(?:javascript|vbscript|livescript|mocha):/;
const dataUrl = /(?:^|[("',;=\s])(data:[^)"'\s]{0,64})/g;
const activeStyle = /@import|expression\(|-moz-binding|behaviou?r:|javascript|vbscript/;

/** Whether a value contains a link to a script, or to a document that may contain one. */
export function linksToScript(value: string): boolean {
  // A drawing consists mostly of numbers: only a value with a colon can be a link.
  if (!value.includes(':') || base64Picture.test(value)) return false;
  // Parsers skip blanks and control characters before and inside a scheme.
  const stripped = value
    .replace(/[\0-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2028\u2029\ufeff]+/g, '')
    .toLowerCase();
  if (scriptScheme.test(stripped)) return true;
  for (const [, url] of stripped.matchAll(dataUrl)) if (!harmlessData.test(url!)) return true;
  return false;
}

/** Like `linksToScript`, for CSS: first decodes escapes (`\6a avascript`) and removes comments. */
export function styleLinksToScript(css: string): boolean {
  const decoded = css
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (whole, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\\/g, '')
    .replace(/\/\*.*?(?:\*\/|$)/gs, '');
  return linksToScript(decoded) || activeStyle.test(decoded.replace(/\s+/g, '').toLowerCase());
}
