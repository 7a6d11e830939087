/** Minimum number of characters of base64 that count as an encoded file. Shorter texts are keys. */
const minLength = 256;
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Whether a text is a file in base64, such as a picture or a document, or a `data:` URL. Text in it
 * cannot be read here.
 */
export function isEncodedFile(text: string): boolean {
  if (/^\s*data:[^,]{0,200},/i.test(text)) return true;
  if (text.length < minLength) return false;
  const content = text.replace(/\s+/g, '');
  return content.length >= minLength && base64.test(content) && /\d/.test(content);
}
