/**
 * The width of the preview of a document, in pixels: enough for a tile on a high-resolution screen.
 * A single width, so that all lists share the picture that is drawn after the upload.
 */
export const previewWidth = 480;
