import { customNamePattern, languagePattern } from '@scriptorium/contracts/operations';
import { clockPattern, entityPattern, mimeRulePattern } from '@scriptorium/contracts/rules';
import { consumerNamePattern } from '@scriptorium/contracts/wire/consumers';
import { valuePattern } from '@scriptorium/contracts/wire/erasures';
import { etagPattern } from '@scriptorium/contracts/wire/library/image-edits';
import { mimeFilterPattern } from '@scriptorium/contracts/wire/library/objects';
import { boxesPattern } from '@scriptorium/contracts/wire/library/page-images';
import { bboxPattern } from '@scriptorium/contracts/wire/library/places';
import { issuerPattern } from '@scriptorium/contracts/wire/members';
import { mimePattern } from '@scriptorium/contracts/wire/policy-decisions';
import { presetNamePattern } from '@scriptorium/contracts/wire/presets';
import { customTypePattern } from '@scriptorium/contracts/wire/reviews';
import { statusCodePattern } from '@scriptorium/contracts/wire/webhooks';
import { pageSelectionPattern } from '../../../jobs/pages/page-ranges.ts';

/** Descriptions of the patterns in requests, as they follow "It must be". */
export const patternDescriptions: ReadonlyMap<string, string> = new Map([
  [pageSelectionPattern, 'pages and ranges of pages, such as 1-3,7'],
  [languagePattern, 'a language code, such as eng or chi_sim'],
  [
    customNamePattern,
    'at most 40 capital letters, digits and underscores, and start with a letter',
  ],
  [clockPattern, 'a time of day, such as 08:00'],
  [entityPattern, 'a type of personal data, such as EMAIL_ADDRESS'],
  [mimeRulePattern, 'a media type or a family of them, such as image/png or image/*'],
  [mimeFilterPattern, 'a media type or a family of them, such as image/png or image/*'],
  [mimePattern, 'a media type, such as image/png'],
  [
    consumerNamePattern,
    'at most 100 letters, digits, dots, hyphens and underscores, and start with a letter or digit',
  ],
  [customTypePattern, 'CUSTOM_ and the name of a custom pattern, such as CUSTOM_CASE_NUMBER'],
  [issuerPattern, 'a URL that starts with https:// or http://'],
  [bboxPattern, 'west, south, east and north in degrees, such as -0.5,51.2,0.3,51.7'],
  [boxesPattern, 'boxes such as 72,90.5,200,14, separated by semicolons'],
  [statusCodePattern, 'a status code or a class of them, such as 503 or 5xx, or none'],
  [valuePattern, 'a line with at least two letters or digits'],
  [presetNamePattern, 'a name that is not blank'],
  [etagPattern, 'an ETag with its quotes, such as "7"'],
]);
