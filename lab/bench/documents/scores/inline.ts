import { parseFragment } from 'parse5';

/** Private-use characters that protect escaped text from being parsed as markup. */
const kept = 0xf0000;
const keep = (text: string): string =>
  Array.from(text, (sign) =>
    /[!-/:-@[-`{-~]/.test(sign) ? String.fromCodePoint(kept + sign.charCodeAt(0)) : sign,
  ).join('');
const release = (text: string): string =>
  text.replace(/[\u{f0000}-\u{f007f}]/gu, (sign) =>
    String.fromCharCode((sign.codePointAt(0) ?? kept) - kept),
  );

/** Strips tags and decodes character references. */
function withoutTags(text: string): string {
  const bare = text.replace(/<br\s*\/?>/gi, ' ').replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?>/gi, '');
  return bare.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z0-9]*);/gi, (reference) => {
    const [node] = parseFragment(reference).childNodes;
    return node && 'value' in node ? keep(node.value) : reference;
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
export function plain(markdown: string): string {
  let text = markdown
    .replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, (_, _fence: string, code: string) => keep(code))
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => keep(sign))
    .replace(picture, ' ')
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, '$1');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(link, '$1');
  }
  return release(withoutTags(text).replace(/\*|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, ''));
}
