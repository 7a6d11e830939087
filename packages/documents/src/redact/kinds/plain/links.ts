/** Replaces the target of a link that held personal data: an anchor that does not exist. */
export const redactedTarget = '#redacted';

const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return bytes.toString('latin1');
    }
  });

/**
 * Returns the target of a link in searchable form: with percent encoding decoded, even if applied
 * twice, and the scheme of `mailto:` and `tel:` separated.
 */
export function readableTarget(target: string): string {
  let text = target;
  for (let round = 0; round < 3 && /%[0-9a-f]{2}/i.test(text); round += 1) text = decoded(text);
  return text.replace(/^\s*(mailto|tel|sms|fax|callto|skype|xmpp):/i, '$1: ');
}
