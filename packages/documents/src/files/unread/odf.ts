import { attributeValue, elementsOf, type XmlElement } from '../xml.ts';
import { createUnreadKinds } from './index.ts';

/** The parts of the document itself. `content.xml` and `styles.xml` are read. */
const documentParts =
  /^(?:content|styles|meta|settings)\.xml$|^manifest\.rdf$|^layout-cache$|^mimetype$|^\/$/;
/** Previews, copies of other content, settings of programs, code and signatures. */
const harmlessFolders =
  /^(?:Thumbnails|Configurations2?|ObjectReplacements|Basic|Scripts|Dialogs|Fonts|META-INF|VersionList\.xml|Versions)(?:\/|$)/;
/** Pictures are separate blocks. Formatting and caches have no text. */
const harmlessTypes =
  /^(?:image\/.*|font\/.*|application\/(?:x-)?font.*|application\/vnd\.ms-opentype|application\/rdf\+xml|application\/x-openoffice-(?:gdimetafile|wmf|bitmap).*|application\/vnd\.sun\.xml\.ui\.configuration|application\/binary|text\/css)?$/;
const maxDepth = 20;
/** Charts are read from the table of their values. */
const chartType = 'application/vnd.oasis.opendocument.chart';

/**
 * Returns the media types of the parts in a manifest (ODF 1.3 part 2, 4) that are neither read nor
 * harmless.
 */
export function unreadOdfParts(
  manifest: XmlElement | undefined,
  parts: ReadonlyMap<string, Uint8Array>,
): string[] {
  const unread = createUnreadKinds();
  const entries = (manifest ? elementsOf(manifest) : []).map((entry) => ({
    path: attributeValue(entry, 'full-path') ?? '',
    type: attributeValue(entry, 'media-type') ?? '',
  }));
  // An object is a folder, and the parts in it belong to the object.
  const objects = new Set(entries.flatMap(({ path, type }) => (type === '' ? [] : [path])));
  const presentPaths = new Set([...parts.keys()].flatMap((name) => [name, ...foldersOf(name)]));
  for (const { path, type } of entries) {
    if (documentParts.test(path) || harmlessFolders.test(path) || harmlessTypes.test(type))
      continue;
    if (type.startsWith(chartType) || foldersOf(path).some((folder) => objects.has(folder)))
      continue;
    if (presentPaths.has(path) || presentPaths.has(`${path}/`)) unread.add(type);
  }
  return unread.kinds();
}

/** Returns the folders that contain a path, each with a final slash: `a/`, `a/b/`. */
function foldersOf(path: string): string[] {
  const names = path.replace(/\/$/, '').split('/').slice(0, maxDepth);
  return names.slice(0, -1).map((_, at) => `${names.slice(0, at + 1).join('/')}/`);
}
