import { parseFragment } from 'parse5';

/** Private-use characters that protect escaped text from being parsed as markup. */
const escapeBase = 0xf0000;
const protect = (text: string): string =>
  Array.from(text, (sign) =>
    /[!-/:-@[-`{-~]/.test(sign) ? String.fromCodePoint(escapeBase + sign.charCodeAt(0)) : sign,
  ).join('');
const unprotect = (text: string): string =>
  text.replace(/[\u{f0000}-\u{f007f}]/gu, (sign) =>
    String.fromCharCode((sign.codePointAt(0) ?? escapeBase) - escapeBase),
  );

/** Strips tags and decodes character references. */
function withoutTags(text: string): string {
  const untagged = text
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?>/gi, '');
  return untagged.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z0-9]*);/gi, (reference) => {
    const [node] = parseFragment(reference).childNodes;
    return node && 'value' in node ? protect(node.value) : reference;
  });
}

const label = String.raw`((?:[^\[\]]|\[[^\[\]]*\])*)`;
const target = String.raw`\((?:<[^<>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
const picture = new RegExp(`!\\[${label}\\]${target}`, 'g');
const link = new RegExp(`\\[${label}\\]${target}`, 'g');

/**
 * The visible text of inline Markdown: links without targets, no images or their alternative text, and
 * no markup.
 */
export function visibleText(markdown: string): string {
  let text = markdown
    .replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, (_, _fence: string, code: string) =>
      protect(code),
    )
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => protect(sign))
    .replace(picture, ' ')
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, '$1');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(link, '$1');
  }
  return unprotect(withoutTags(text).replace(/\*|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, ''));
}
