/** Maximum number of pixels of an image: 100 megapixels hold an A0 scan at 200 dpi. */
export const maxImagePixels = 100e6;

/**
 * Maximum number of pixels of a page for the recogniser; larger pages are drawn at a lower
 * resolution.
 */
export const maxPagePixels = 25e6;

/**
 * Maximum number of pixels of a picture in a PDF page: an A0 plan at 600 dpi, one bit per pixel,
 * fits.
 */
export const maxPicturePixels = 600e6;

/** Maximum number of pages of a source. */
export const maxPages = 2000;

/** Maximum side of a page in points; PDF 32000-1 Annex C allows 14,400, real files exceed it. */
export const maxPagePoints = 200_000;
