import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { isOfName } from './sign-ins.ts';

const score = 0.6;
/** An account name as social networks write it: `@casa.de.lubna`. */
const handle =
  /(?<![\p{L}\p{N}@._%+/\\=-])@[\p{L}\p{N}_](?:[\p{L}\p{N}_]|\.(?=[\p{L}\p{N}_])){1,29}(?![\p{L}\p{N}@(/\\{-])/gu;
/** Names and words of social networks, in lower case without accents. */
const network =
  /(?<![a-z])(?:insta(?:gram)?|twitter|tiktok|threads|mastodon|bluesky|telegram|snapchat|facebook|youtube|github|handle|follow(?:ing|ers)?|folgt?|seguid(?:me|nos)|sigue(?:me|nos)|segu(?:imi|iteci)|suivez|suis|volg|siga|sigam|obserwuj)(?![a-z])/;
/** Keywords of programs and annotations that also start with an at sign. */
const keyword =
  /^@(?:charset|counter|font_face|import|keyframes|media|namespace|page|property|supports|tailwind|apply|layer|param|returns?|throws|deprecated|author|since|see|link|example|todo|internal|private|public|readonly|override|inheritdoc|everyone|channel|here|all|latest|next|beta)$/i;
/** Distance before a handle in which a network's name applies to it, in characters. */
const networkDistance = 48;

/**
 * Finds account names of social networks. Without the name of a network nearby, a name must be in
 * lower case and have a part that is in no list of words.
 */
export function findSocialHandles({ text, lower, original }: TextView): PiiFinding[] {
  return [...text.matchAll(handle)].flatMap(({ index, 0: match }): PiiFinding[] => {
    if (keyword.test(match)) return [];
    const name = match.slice(1);
    const isUnusual = name === name.toLowerCase() && isOfName(name);
    const before = lower.slice(Math.max(0, index - networkDistance), index);
    if (!isUnusual && !network.test(before)) return [];
    const end = original(index + match.length - 1) + 1;
    return [{ type: 'PERSONAL_ID', start: original(index), end, score }];
  });
}
