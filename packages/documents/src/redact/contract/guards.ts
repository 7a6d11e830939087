import { drawnTypes } from '@scriptorium/contracts/documents/entities';
import {
  type TextPiece,
  textLayouts,
  textParts,
} from '@scriptorium/contracts/documents/shown-text';
import {
  hasFields,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isString,
} from '@scriptorium/sandbox/checks';
import { isKind } from '../../files/unread/index.ts';
import type { PagePlan, PlannedPage } from './plan.ts';
import type { RedactionCheck, RemovalReport } from './report.ts';
import type {
  DecidedPlace,
  ExternalPlace,
  FoundInKind,
  FoundInName,
  FoundPlace,
  LaidOutPage,
  RedactedInKind,
  SettleResult,
  SpreadResult,
  TextInKind,
} from './requests.ts';

/* Answers of child processes about redactions are validated like any external data. */

const isBox = isListOf(isNumber, 4);
const areBoxes = isListOf(isBox);
const isQuarter = isOneOf(0, 90, 180, 270);
const areStrings = isListOf(isString);
const areKinds = isListOf((kind) => isString(kind) && isKind(kind));
const areQuarters = isListOf(isQuarter);

export function isPagePlan(value: unknown): value is PagePlan {
  return hasFields(value, {
    page: isNumber,
    widthPt: isNumber,
    heightPt: isNumber,
    removals: isListOf((removal) =>
      hasFields(removal, {
        type: isString,
        score: isNumber,
        value: isString,
        boxes: isListOf(isBox),
        source: isOneOf('pdf', 'ocr'),
        here: (here) => here === undefined || isBoolean(here),
        parts: (parts) => parts === undefined || isListOf(isString)(parts),
        direction: (direction) => direction === undefined || isQuarter(direction),
      }),
    ),
    redactedText: isString,
    notCovered: (languages) => languages === undefined || areStrings(languages),
    doubted: (doubted) => doubted === undefined || isBoolean(doubted),
    dropped: (kinds) => kinds === undefined || areKinds(kinds),
    seen: (seen) => seen === undefined || isSeenText(seen),
    readings: (readings) => readings === undefined || areReadings(readings),
    unreadable: (boxes) => boxes === undefined || areBoxes(boxes),
    kept: (kept) => kept === undefined || areKept(kept),
    layer: (layer) => layer === undefined || isPageLayer(layer),
    layerLeftOut: (isLeftOut) => isLeftOut === undefined || isBoolean(isLeftOut),
    external: (external) => external === undefined || isOneOf('searched', 'unavailable')(external),
    asPicture: (asPicture) => asPicture === undefined || isBoolean(asPicture),
  });
}

const isSeenText = (value: unknown): boolean =>
  hasFields(value, {
    sure: isListOf(isBox),
    own: (own) => own === undefined || areBoxes(own),
  });

const areKept = (value: unknown): boolean =>
  hasFields(
    value,
    Object.fromEntries(
      drawnTypes.map((type) => [type, (boxes: unknown) => boxes === undefined || areBoxes(boxes)]),
    ),
  );

const isPageLayer = (value: unknown): boolean =>
  hasFields(value, {
    text: isString,
    words: isListOf(isNumber),
    lines: isListOf(isNumber),
    orientation: isQuarter,
    skewDegrees: isNumber,
  });

const areReadings = isListOf((reading) =>
  hasFields(reading, {
    source: isOneOf('pdf', 'ocr'),
    text: isString,
    boxes: isListOf(isNumber),
    directions: (directions) => directions === undefined || areQuarters(directions),
  }),
);

export function isPlannedPage(value: unknown): value is PlannedPage {
  return (
    (hasFields(value, { state: isOneOf('planned') }) && isPagePlan(value)) ||
    hasFields(value, {
      state: isOneOf('failed'),
      page: isNumber,
      widthPt: isNumber,
      heightPt: isNumber,
    })
  );
}

export function isSpreadResult(value: unknown): value is SpreadResult {
  return hasFields(value, { removals: isNumber });
}

export function isSettleResult(value: unknown): value is SettleResult {
  return hasFields(value, { staying: isNumber });
}

const areLaidOut = isListOf((page) =>
  hasFields(page, {
    page: isNumber,
    regions: isListOf((region) => hasFields(region, { painted: areBoxes, planned: areBoxes })),
  }),
);

export function isLaidOut(value: unknown): value is LaidOutPage[] {
  return areLaidOut(value);
}

export function isRemovalReport(value: unknown): value is RemovalReport {
  return hasFields(value, {
    pages: isListOf((page) =>
      hasFields(page, {
        page: isNumber,
        outputPage: isNumber,
        treatment: isOneOf('copied', 'redacted', 'burned', 'empty'),
        reason: (reason) => reason === null || isString(reason),
        widthPt: isNumber,
        heightPt: isNumber,
        regions: isListOf((region) => hasFields(region, { box: isBox, type: isString })),
        doubted: (doubted) => doubted === undefined || isBoolean(doubted),
        seen: (seen) => seen === undefined || isSeenText(seen),
        kept: (kept) => kept === undefined || areKept(kept),
        layerLeftOut: (isLeftOut) => isLeftOut === undefined || isBoolean(isLeftOut),
      }),
    ),
    values: isListOf((removed) =>
      hasFields(removed, {
        type: isString,
        value: isString,
        here: (here) => here === undefined || isBoolean(here),
      }),
    ),
  });
}

const isCheckList = isListOf((check) =>
  hasFields(check, {
    name: isString,
    passed: isBoolean,
    detail: isString,
    pages: isListOf(isNumber),
    unread: (boxes) => boxes === undefined || areBoxes(boxes),
  }),
);

export function isChecks(value: unknown): value is RedactionCheck[] {
  return isCheckList(value);
}

export function isRedactedInKind(value: unknown): value is RedactedInKind {
  return hasFields(value, {
    removals: isListOf((removal) =>
      hasFields(removal, {
        type: isString,
        score: isNumber,
        value: isString,
        page: (page) => page === null || isNumber(page),
      }),
    ),
    pages: isListOf(isString),
    checks: isCheckList,
    embedded: (counts) => hasFields(counts, { kept: isNumber, redacted: isNumber }),
    picturesReplaced: isNumber,
    dropped: areKinds,
    notCovered: isListOf(areStrings),
  });
}

const isLocation = (value: unknown): boolean =>
  hasFields(value, {
    part: isOneOf(...textParts),
    line: isNumber,
    cell: (cell) => cell === null || isString(cell),
  });

const isRange = (value: unknown): boolean =>
  hasFields(value, { page: isNumber, start: isNumber, end: isNumber });

export function isFoundPlace(value: unknown): value is FoundPlace {
  return (
    isRange(value) &&
    hasFields(value, { type: isString, score: isNumber, value: isString, location: isLocation })
  );
}

export function isExternalPlace(value: unknown): value is ExternalPlace {
  return isRange(value) && hasFields(value, { type: isString, score: isNumber });
}

export function areFoundInName(value: unknown): value is FoundInName[] {
  return isListOf((found) => hasFields(found, { type: isString, start: isNumber, end: isNumber }))(
    value,
  );
}

export function isDecidedPlace(value: unknown): value is DecidedPlace {
  return isRange(value) && hasFields(value, { type: isString, score: isNumber, goes: isBoolean });
}

export function isTextPiece(value: unknown): value is TextPiece {
  return hasFields(value, {
    page: isNumber,
    piece: isNumber,
    layout: isOneOf(...textLayouts),
    name: (name) => name === null || isString(name),
    start: isNumber,
    line: isNumber,
    lines: isNumber,
    text: isString,
    parts: isListOf((part) => hasFields(part, { start: isNumber, part: isOneOf(...textParts) })),
  });
}

export function isTextInKind(value: unknown): value is TextInKind {
  return hasFields(value, { digest: isString });
}

export function isFoundInKind(value: unknown): value is FoundInKind {
  return hasFields(value, { findings: isNumber, digest: isString });
}
