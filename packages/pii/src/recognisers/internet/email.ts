import { startOfEmail } from '../../alternatives.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';
import { domainIn } from './domains.ts';

const localSign = /[\p{L}\p{N}._%+&'~!#$*-]/u;
const domainSign = /[\p{L}\p{N}.-]/u;
/** Maximum lengths of RFC 5321, 4.5.3.1. */
const maxLocalLength = 64;
const maxDomainLength = 255;

/**
 * Returns the start of the part before the @. In recognised text, this part may contain stray
 * spaces.
 */
function localStart(text: string, at: number, recognised: boolean): number {
  let start = at;
  if (recognised && text[start - 1] === ' ') start -= 1;
  const minStart = Math.max(0, start - maxLocalLength);
  while (start > minStart) {
    if (localSign.test(text[start - 1] ?? '')) start -= 1;
    else if (recognised && /[\p{L}\p{N}] \. ?$/u.test(text.slice(Math.max(0, start - 4), start)))
      start = text.lastIndexOf('.', start) - 1;
    else if (recognised && text[start] === '.' && text[start - 1] === ' ') start -= 1;
    else break;
  }
  while (start < at && !/[\p{L}\p{N}_]/u.test(text[start] ?? '')) start += 1;
  return start;
}

/** Whether a space divides the first label of a domain: `post fach.example`. */
function isSplit(text: string, from: number, at: number): boolean {
  const isFirst = at > from && !/[. ]/.test(text.slice(from, at));
  return isFirst && /^ (?!\S{0,60}@)[\p{Ll}\d-]{1,30}\.\p{Ll}/u.test(text.slice(at, at + 64));
}

function domainEnd(text: string, at: number, recognised: boolean): number | null {
  let from = at + 1;
  if (recognised && text[from] === ' ') from += 1;
  let end = from;
  const maxEnd = Math.min(text.length, from + maxDomainLength);
  while (end < maxEnd) {
    if (domainSign.test(text[end] ?? '')) end += 1;
    else if (recognised && /^ ?\. ?[\p{Ll}\d]/u.test(text.slice(end, end + 4))) end += 1;
    else if (recognised && text[end - 1] === '.' && /^ \p{Ll}/u.test(text.slice(end, end + 2)))
      end += 1;
    else if (recognised && isSplit(text, from, end)) end += 1;
    else break;
  }
  return domainIn(text, from, end);
}

/** The text around an @ up to the next space, including misread characters. */
const misreadLocal = /[^\s<>"|:;,]{1,64}$/u;
const misreadDomain = /^ ?[^\s@<>"|;]{1,60}\.\p{L}{2,24}(?![\p{L}\p{N}])/u;
const restOfToken = /^[^\s@<>"|;]{1,60}\.\p{Ll}{2,24}(?![\p{L}\p{N}])/u;

/** Returns the start of a recognised address, regardless of misread characters before the @. */
function tokenStart(text: string, at: number): number {
  const local = misreadLocal.exec(text.slice(Math.max(0, at - maxLocalLength), at))?.[0] ?? '';
  const lead = local.search(/[\p{L}\p{N}]/u);
  return lead < 0 ? at : at - local.length + lead;
}

/**
 * Returns the end of a recognised address with its complete token, because characters of its domain
 * may be misread.
 */
function tokenEnd(text: string, at: number, end: number | null): number | null {
  const from = end ?? at + 1;
  const rest = (end === null ? misreadDomain : restOfToken).exec(text.slice(from, from + 90));
  return rest ? from + rest[0].length : end;
}

/** Addresses that are obfuscated to avoid harvesting: `name (at) example (dot) com`. */
const obfuscated =
  /(?<![\w.+-])[\w.+-]{1,64} ?[[({] ?(?:at|arroba|@) ?[\])}] ?[\w-]{1,63}(?: ?(?:\.|[[({] ?(?:dot|punkt|punto|point) ?[\])}]) ?[A-Za-z][\w-]{1,62}){1,4}(?![\w-])/gi;

/** Addresses that were typed with spaces around the @, and possibly the dots. */
const spaced =
  /(?<![\w.@+-])[a-z\d_+-]{1,40}(?:(?:\.| \. )[a-z\d_+-]{1,40}){0,3}(?: @ |@ )[a-z\d-]{2,63}(?:(?:\.| \. )[a-z][a-z\d-]{1,62}){1,3}(?![\w@-])/g;

export const email: PiiRecogniser = {
  context: contextWords([
    'email',
    'e-mail',
    'mail',
    'correo',
    'courriel',
    'contact',
    'kontakt',
    'posta',
  ]),
  against: null,
  *candidates({ text, recognised }) {
    const found: PiiCandidate[] = [];
    let last = 0;
    const signs = recognised ? /[@©®]/g : /@/g;
    for (const { 0: sign, index: at } of text.matchAll(signs)) {
      const local = localStart(text, at, recognised);
      const ownStart = recognised && local >= at ? tokenStart(text, at) : local;
      const start = Math.max(last, recognised ? startOfEmail(text, ownStart) : ownStart);
      const domain = domainEnd(text, at, recognised);
      const end = recognised && sign === '@' ? tokenEnd(text, at, domain) : domain;
      if (start >= at || end === null) continue;
      if (sign !== '@' && /\s/.test(text.slice(start, end))) continue;
      last = end;
      const isExact = sign === '@' && !/\s/.test(text.slice(start, end));
      found.push({ start, end, alone: isExact ? 0.97 : 0.75, inContext: 0.99 });
    }
    yield* found;
    if (!recognised) {
      yield* matches(text, spaced, (match) => ({
        start: match.index,
        end: match.index + match[0].length,
        alone: 0.75,
        inContext: 0.95,
      }));
    }
    yield* matches(text, obfuscated, (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      alone: 0.8,
      inContext: 0.95,
    }));
  },
};
