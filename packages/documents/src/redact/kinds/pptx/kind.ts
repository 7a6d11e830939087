import type { RedactableKind } from '../kind.ts';
import { disallowedInPackage, textsOfPackage } from '../package/check.ts';
import { pptxParts } from './parts.ts';
import { readPptxStreams } from './pptx.ts';

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction drops, so that a mistake in one of them is detected.
 */
const disallowedElements = new Set(
  `cm cmLst cmAuthorLst cmAuthor timing transition extLst oleObj OLEObject control tags custData
   custDataLst custShowLst custShow embeddedFontLst modifyVerifier photoAlbum smartTags
   handoutMasterIdLst audioFile audioCd videoFile quickTimeFile wavAudioFile snd hlinkHover
   hlinkMouseOver contentPart externalData userShapes`.split(/\s+/),
);

export const pptxKind: RedactableKind = {
  read: readPptxStreams,
  textsOf: textsOfPackage,
  disallowedIn: (bytes, isProven) =>
    disallowedInPackage(bytes, pptxParts, disallowedElements, isProven),
};
