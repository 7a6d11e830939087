/**
 * The width of the preview of a document, in pixels: enough for a tile on a dense screen. A single
 * width, so that all lists share the picture drawn on arrival.
 */
export const previewWidth = 480;
