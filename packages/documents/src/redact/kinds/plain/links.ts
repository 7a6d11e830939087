/** Replaces a link target that contained personal data. Refers to an anchor that does not exist. */
export const redactedTarget = '#redacted';

const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return bytes.toString('latin1');
    }
  });

/**
 * Returns a link target in searchable form. Percent encoding is decoded, even if it was applied
 * twice, and the schemes of `mailto:` and `tel:` are separated.
 */
export function readableTarget(target: string): string {
  let text = target;
  for (let round = 0; round < 3 && /%[0-9a-f]{2}/i.test(text); round += 1)
    text = decodePercent(text);
  return text.replace(/^\s*(mailto|tel|sms|fax|callto|skype|xmpp):/i, '$1: ');
}
