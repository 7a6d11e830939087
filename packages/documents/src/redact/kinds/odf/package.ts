import { EngineError } from '@scriptorium/sandbox/errors';
import { isActiveLink } from '../../../files/links.ts';
import { type OdfKind, type OdfPackage, objectFolder, odfKinds } from '../../../files/odf.ts';
import {
  attribute,
  childOf,
  elementsOf,
  newElement,
  transform,
  walk,
  writeXml,
  type XmlElement,
} from '../../../files/xml.ts';
import { writeZip } from '../../../files/zip.ts';
import { createPictureFiles, type EmbeddedFiles, embeddedTypeOf } from '../embedded/files.ts';
import { addText, type HiddenStreams } from '../package/clean.ts';
import { greyPixel } from '../package/grey-pixel.ts';
import { readableTarget, redactedTarget } from '../plain/links.ts';
import { cleanOdf } from './clean.ts';
import { qualifiedName } from './namespaces.ts';

const chartMime = 'application/vnd.oasis.opendocument.chart';
/** The name of the placeholder picture. */
const pictureName = 'Pictures/image1.png';

export interface OdfParts {
  content: XmlElement;
  styles: XmlElement | undefined;
  /** The embedded charts by target, in the order of the content. */
  charts: Map<string, XmlElement>;
  pictures: number;
  write(): Uint8Array;
}

/**
 * Copies the content, the styles and the embedded charts of a file under new names, without anything
 * that is not read. All other parts are dropped: properties, settings, thumbnails, versions, macros,
 * signatures, other objects, and pictures of objects. Pictures that were not proved become one
 * placeholder.
 * @throws EngineError if the file is damaged or of another kind
 */
export function copyOdf(
  source: OdfPackage,
  kind: OdfKind,
  hiddenStreams: HiddenStreams,
  embedded: EmbeddedFiles,
): OdfParts {
  const provenPictures = createPictureFiles(embedded, 'Pictures/');
  const charts = new Map<string, XmlElement>();
  const copied = new Map<string, string | null>();
  let pictures = 0;

  function copyPart(name: string, rootName: string, isChart = false): XmlElement | undefined {
    const root = source.rootOf(name);
    if (!root || qualifiedName(root) !== rootName) return undefined;
    cleanOdf(root);
    transform(root, (element) => {
      // A chart contains no objects, except in files that are made to nest without end.
      if (isChart && qualifiedName(element) === 'drawing:frame') return [];
      return keepsTarget(element) ? [element] : [];
    });
    return root;
  }

  /** Returns the new target of an embedded chart; null for other objects. */
  function copyChart(target: string): string | null {
    const folder = objectFolder(target);
    if (folder === null) return null;
    const existing = copied.get(folder);
    if (existing !== undefined) return existing;
    copied.set(folder, null);
    const root = copyPart(`${folder}/content.xml`, 'office:document-content', true);
    if (!root || !childOf(childOf(root, 'body'), 'chart')) return null;
    const newTarget = `./Object ${charts.size + 1}`;
    copied.set(folder, newTarget);
    charts.set(newTarget, root);
    return newTarget;
  }

  const pictureBytes = (element: XmlElement): Uint8Array | undefined =>
    source.parts.get(attribute(element, 'href')?.value.replace(/^\.\//, '') ?? '');
  const isReadable = (element: XmlElement): boolean => {
    const bytes = pictureBytes(element);
    return bytes !== undefined && embeddedTypeOf(bytes) !== null;
  };

  /** Updates the target of an element, and returns whether the element is kept. */
  function keepsTarget(element: XmlElement): boolean {
    const href = attribute(element, 'href');
    switch (qualifiedName(element)) {
      case 'drawing:object': {
        const target = href && copyChart(href.value);
        if (!target) return false;
        Object.assign(href, { value: target, machine: true });
        return true;
      }
      case 'drawing:frame':
        keepOneContent(element);
        return true;
      case 'drawing:image':
      case 'drawing:fill-image':
      case 'style:background-image': {
        // A background without a target removes the background of a parent style.
        if (!href && element.local === 'background-image') return true;
        const proven = provenPictures.nameOf(pictureBytes(element));
        if (proven === null) pictures += 1;
        if (!href) return false;
        Object.assign(href, { value: proven ?? pictureName, machine: true });
        return true;
      }
      default: {
        if (!href) return true;
        if (isActiveLink(href.value)) Object.assign(href, { value: redactedTarget, machine: true });
        else href.piece = addText(hiddenStreams.hidden, readableTarget(href.value), redactedTarget);
        return true;
      }
    }
  }

  /** Keeps one of the alternatives of a frame. The picture of a chart contains its text. */
  function keepOneContent(frame: XmlElement): void {
    const isChart = (one: XmlElement): boolean =>
      one.local === 'object' && copyChart(attribute(one, 'href')?.value ?? '') !== null;
    const chart = elementsOf(frame).find(isChart);
    const images = elementsOf(frame).filter(({ local }) => local === 'image');
    // A vector picture has a copy in pixels beside it.
    const kept = chart ?? images.find(isReadable) ?? images[0];
    frame.children = elementsOf(frame).filter(
      (one) => one === kept || !/^(?:object|image)$/.test(one.local),
    );
  }

  const content = copyPart('content.xml', 'office:document-content');
  const styles = copyPart('styles.xml', 'office:document-styles');
  if (!content) {
    throw new EngineError('unsupported', 'The file is not of its declared type.');
  }

  function write(): Uint8Array {
    const { mime } = odfKinds[kind];
    const files = new Map<string, Uint8Array>([['mimetype', Buffer.from(mime)]]);
    const entries: [path: string, type: string][] = [['/', mime]];
    const add = (name: string, root: XmlElement): void => {
      files.set(name, writeXml(root));
      entries.push([name, 'text/xml']);
    };
    add('content.xml', content!);
    if (styles) add('styles.xml', styles);
    for (const [target, root] of charts) {
      const folder = target.slice(2);
      entries.push([`${folder}/`, chartMime]);
      add(`${folder}/content.xml`, root);
    }
    if (pictures > 0) {
      files.set(pictureName, greyPixel);
      entries.push([pictureName, 'image/png']);
    }
    for (const [name, { mime: type, bytes }] of provenPictures.files) {
      files.set(name, bytes);
      entries.push([name, type]);
    }
    files.set('META-INF/manifest.xml', writeXml(manifestOf(entries)));
    return writeZip(files);
  }

  return { content, styles, charts, pictures, write };
}

const manifestNs = 'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0';

function manifestOf(entries: readonly [path: string, type: string][]): XmlElement {
  return newElement(
    'manifest:manifest',
    { 'xmlns:manifest': manifestNs, 'manifest:version': '1.2' },
    entries.map(([path, type]) =>
      newElement('manifest:file-entry', {
        'manifest:full-path': path,
        'manifest:media-type': type,
      }),
    ),
  );
}

/** Calls `visit` for the targets of the charts in an element, in document order. */
export function chartTargets(element: XmlElement): string[] {
  const targets: string[] = [];
  walk(element, (one) => {
    if (qualifiedName(one) === 'drawing:object') targets.push(attribute(one, 'href')?.value ?? '');
  });
  return targets;
}
