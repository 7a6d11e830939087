/** Most pixels an image may have: 100 megapixels hold an A0 scan at 200 dpi. */
export const maxImagePixels = 100e6;

/** Most pixels of a page as given to the recogniser; larger pages are drawn at fewer dpi. */
export const maxPagePixels = 25e6;

/** Most pixels of a picture inside a PDF page: an A0 plan at 600 dpi, one bit a pixel, fits. */
export const maxPicturePixels = 600e6;

/** Most pages a source may have. */
export const maxPages = 2000;

/** Longest side of a page in points; PDF 32000-1 Annex C allows 14,400, real files go beyond. */
export const maxPagePoints = 200_000;
