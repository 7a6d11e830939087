const paleInk = 'ink that is hardly darker than its ground is not read';

/** Tricks that still leave something in files called verified, with the reason. Remove what is fixed. */
export const known: Readonly<Record<string, string>> = {
  'png nearly white': paleInk,
  'tiff nearly white': paleInk,
  'webp nearly white': paleInk,
  'png letters in blue alone': paleInk,
  'tiff letters in blue alone': paleInk,
  'webp letters in blue alone': paleInk,
  'text spaced out': 'names whose parts stand three blanks apart are found in part',
  'split over a pattern':
    'half of a value in the text of the page and half in what is recognised are not joined',
};
