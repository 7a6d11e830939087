/** Maximum number of pixels of an image. An A0 scan at 200 dpi has fewer than 100 megapixels. */
export const maxImagePixels = 100e6;

/**
 * Maximum number of pixels of a page for the recogniser. Larger pages are rendered at a lower
 * resolution.
 */
export const maxPagePixels = 25e6;

/**
 * Maximum number of pixels of a picture in a PDF page. An A0 plan at 600 dpi with one bit per pixel
 * has fewer.
 */
export const maxPicturePixels = 600e6;

/** Maximum number of pixels of a picture inside a file without pages. */
export const maxEmbeddedPixels = 50e6;

/** Maximum number of pages of a source. */
export const maxPages = 2000;

/**
 * Maximum side of a page, in points. PDF 32000-1 Annex C allows 14,400, but real files exceed it.
 */
export const maxPagePoints = 200_000;
