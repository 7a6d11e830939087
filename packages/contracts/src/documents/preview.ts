/**
 * The width of the preview of a document, in pixels: enough for a tile on a dense screen. One width,
 * so that all lists share what is drawn on arrival.
 */
export const previewWidth = 480;
