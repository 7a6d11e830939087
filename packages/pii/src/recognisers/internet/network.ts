import { isIPv4, isIPv6 } from 'node:net';
import { withCorrectedDigits } from '../../confusions.ts';
import { contextWords, matches, type PiiRecogniser } from '../../recogniser.ts';

const v4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const v4WithSpaces = /(?<![\w.-])\d{1,3}(?: ?\. ?\d{1,3}){3}(?![\w-]|\.\d)/g;
const v6 =
  /(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:(?:\.\d{1,3}){3})?(?:%\w{1,16})?(?![\w:])/g;

const context = contextWords([
  'ip',
  'ips',
  'ipv4',
  'ipv6',
  'ip address*',
  'ip adresse',
  'address',
  'host*',
  'server',
  'dns',
  'gateway',
  'logged in',
  'login',
  'client',
  'network',
  'subnet',
  'remote',
  'direccion ip',
]);

/** IPv4 and IPv6. Four single digits are equally likely a version or a heading. */
export const ipAddress: PiiRecogniser = {
  context,
  against: contextWords(
    `version versions v ver release build firmware section chapter clause figure table paragraph
    kapitel abschnitt driver rev`.split(/\s+/),
  ),
  *candidates(view) {
    yield* matches(withCorrectedDigits(view), view.recognised ? v4WithSpaces : v4, (match) => {
      const address = match[0].replaceAll(' ', '');
      if (!isIPv4(address)) return null;
      const alone = address.length === 7 || address !== match[0] ? 0.35 : 0.7;
      return { start: match.index, end: match.index + match[0].length, alone, inContext: 0.95 };
    });
    yield* matches(view.text, v6, (match) => {
      const groups = match[0].match(/[0-9a-f]+/gi) ?? [];
      const corrected = view.recognised ? match[0].replace(/[Oo]/g, '0') : match[0];
      if (!isIPv6(corrected) || groups.length < 2 || !/\d/.test(corrected)) return null;
      const alone = groups.length > 3 ? 0.9 : 0.6;
      return { start: match.index, end: match.index + match[0].length, alone, inContext: 0.97 };
    });
  },
};

const hexPair = '[0-9A-Fa-f]{2}';
const misreadHexPair = '[0-9A-Fa-fOolISZ]{2}';
const macSource = (pair: string) =>
  `(?<![\\w:-])${pair}(?:(?::${pair}){5}|(?:-${pair}){5}|(?:${pair}\\.${pair}${pair}\\.${pair}${pair}))(?![\\w:-])`;
const mac = new RegExp(macSource(hexPair), 'g');
const misreadMac = new RegExp(macSource(misreadHexPair), 'g');

/** EUI-48 in its common notations: with colons, hyphens, or dots between groups of four digits. */
export const macAddress: PiiRecogniser = {
  context: contextWords([
    'mac',
    'mac address*',
    'hardware address',
    'ethernet',
    'bssid',
    'wlan',
    'wifi',
  ]),
  against: null,
  candidates: (view) =>
    matches(view.text, view.recognised ? misreadMac : mac, (match) => {
      const signs = match[0].replace(/[:.-]/g, '');
      return /^(.)\1+$/.test(signs) || !/[\dA-F]/.test(signs)
        ? null
        : { start: match.index, end: match.index + match[0].length, alone: 0.9, inContext: 0.97 };
    }),
};
