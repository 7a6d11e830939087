import { applyToBox, compose } from '../geometry.ts';
import type { Box } from '../results.ts';
import { boundsOf, matrixOf, type PageObject, type PageObjects } from './page-objects.ts';
import { rawFunction } from './pdfium.ts';

/** The pictures and drawings of a page, in points as displayed. */
export type PageShapes = {
  pictures: Box[];
  /** Lines, fills and shadings, each with its number of segments. */
  paths: { box: Box; segments: number; object: PageObject }[];
  /** Whether the page has more objects than were read. */
  truncated: boolean;
};

const maxObjects = 20_000;

/** Reads the pictures and drawn shapes among the objects of a loaded page. */
export function readShapes({ document, all, complete }: PageObjects): PageShapes {
  const countSegments = rawFunction(document.pdfium, 'FPDFPath_CountSegments');
  const shapes: PageShapes = {
    pictures: [],
    paths: [],
    truncated: !complete || all.length > maxObjects,
  };
  for (const object of all.slice(0, maxObjects)) {
    const { handle, kind, map } = object;
    if (kind === 'image') {
      shapes.pictures.push(applyToBox(compose(map, matrixOf(document, handle)), [0, 0, 1, 1]));
    } else if (kind === 'path' || kind === 'shading') {
      const box = boundsOf(document, object);
      const segments = kind === 'path' ? countSegments(handle) : 1;
      if (box) shapes.paths.push({ box, segments, object });
    }
  }
  return shapes;
}
