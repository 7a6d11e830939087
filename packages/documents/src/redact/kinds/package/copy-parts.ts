import { posix } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { isActiveLink } from '../../../files/links.ts';
import {
  contentTypesPart,
  type Package,
  type Relationship,
  relationshipsPart,
} from '../../../files/opc.ts';
import { parseXml, writeXml, type XmlElement } from '../../../files/xml.ts';
import { writeZip } from '../../../files/zip.ts';
import { createPictureFiles, type EmbeddedFiles } from '../embedded/files.ts';
import { readableTarget, redactedTarget } from '../plain/links.ts';
import { addText, type HiddenStreams } from './clean.ts';
import { greyPixel } from './grey-pixel.ts';
import { isKnownNamespace } from './namespaces.ts';

/**
 * A kind of part that an output may contain, identified by the type of the relationship that refers
 * to it.
 */
export interface PartRule {
  /**
   * The name of the part in the output, such as `word/header#.xml`, where `#` is a number. Names of
   * the source are not kept. A part that occurs only once has the name that Office uses, because
   * some programs do not accept other names.
   */
  name: string;
  contentType: string;
  /**
   * The local name of the root element. Parts with another root, or a root of an unknown namespace,
   * are dropped.
   */
  root: string;
}

export interface PackagePart {
  kind: string;
  root: XmlElement;
  /** New ids of kept relationships, by old id. */
  references: Map<string, string>;
  /** The parts to which this part refers, by new id. */
  children: Map<string, PackagePart>;
  name: string;
}

/**
 * Copies the listed parts of a package under new names and ids. Follows relationships from the main
 * part. Parts that are not listed or not referenced are dropped.
 */
export function copyParts(
  source: Package,
  main: { kind: string; part: string },
  rules: Readonly<Record<string, PartRule>>,
  hiddenStreams: HiddenStreams,
  embedded: EmbeddedFiles,
): { main: PackagePart; parts: PackagePart[]; pictures: number; write(): Uint8Array } {
  const copied = new Map<string, PackagePart>();
  const counts = new Map<string, number>();
  const relationships = new Map<PackagePart, XmlElement>();
  const media = `${posix.dirname(rules[main.kind]?.name ?? '')}/media/`;
  const placeholder = `${media}image1.png`;
  const provenPictures = createPictureFiles(embedded, media);
  // Relationships are followed from a queue: slides that link to each other form long chains.
  const queue: { part: PackagePart; name: string }[] = [];
  let pictures = 0;

  function copyPart(kind: string, name: string): PackagePart | null {
    const existing = copied.get(name);
    if (existing) return existing.kind === kind ? existing : null;
    const rule = rules[kind];
    const bytes = source.parts.get(name);
    if (!rule || !bytes) return null;
    const root = parseXml(bytes);
    if (root.local !== rule.root || !isKnownNamespace(root.uri)) return null;
    const number = (counts.get(kind) ?? 0) + 1;
    if (number > 1 && !rule.name.includes('#')) return null;
    counts.set(kind, number);
    const part: PackagePart = {
      kind,
      root,
      references: new Map(),
      children: new Map(),
      name: rule.name.replace('#', String(number)),
    };
    copied.set(name, part);
    queue.push({ part, name });
    return part;
  }

  function copyRelationships(part: PackagePart, name: string): void {
    const keptRelationships: Relationship[] = [];
    const folder = posix.dirname(part.name);
    const pictureIds = new Map<string, string>();
    const targets: string[] = [];
    for (const { id, kind, target, external } of source.relationshipsOf(name)) {
      const newId = `rId${keptRelationships.length + 1}`;
      if (kind === 'image') {
        const proven = external ? null : provenPictures.nameOf(source.parts.get(target));
        if (proven === null) pictures += 1;
        const picture = proven ?? placeholder;
        const pictureId = pictureIds.get(picture) ?? newId;
        part.references.set(id, pictureId);
        if (pictureIds.has(picture)) continue;
        pictureIds.set(picture, newId);
        const path = posix.relative(folder, picture);
        keptRelationships.push({ id: newId, kind, target: path, external: false });
        targets.push('');
      } else if (kind === 'hyperlink') {
        part.references.set(id, newId);
        const isUnsafe = isActiveLink(target) || !external;
        keptRelationships.push({
          id: newId,
          kind,
          target: isUnsafe ? redactedTarget : target,
          external: true,
        });
        targets.push(isUnsafe ? '' : target);
      } else if (!external) {
        const child = copyPart(kind, target);
        if (!child) continue;
        part.references.set(id, newId);
        part.children.set(newId, child);
        const path = posix.relative(folder, child.name);
        keptRelationships.push({ id: newId, kind, target: path, external: false });
        targets.push('');
      }
    }
    const element = relationshipsPart(keptRelationships, source.strict);
    redactTargets(element, targets, hiddenStreams);
    relationships.set(part, element);
  }

  const mainPart = copyPart(main.kind, main.part);
  if (!mainPart) {
    throw new EngineError('damaged', 'The file is damaged: its main part is missing or malformed.');
  }

  for (let next = queue.shift(); next; next = queue.shift())
    copyRelationships(next.part, next.name);

  const mainName = mainPart.name;
  function write(): Uint8Array {
    const parts = [...copied.values()];
    const types = new Map(parts.map(({ name, kind }) => [name, rules[kind]?.contentType ?? '']));
    for (const [name, { mime }] of provenPictures.files) types.set(name, mime);
    const files = new Map<string, Uint8Array>();
    files.set('[Content_Types].xml', writeXml(contentTypesPart(types)));
    const start = { id: 'rId1', kind: 'officeDocument', target: mainName, external: false };
    files.set('_rels/.rels', writeXml(relationshipsPart([start], source.strict)));
    for (const part of parts) {
      files.set(part.name, writeXml(part.root));
      const element = relationships.get(part);
      if (!element || element.children.length === 0) continue;
      const { dir, base } = posix.parse(part.name);
      files.set(`${dir}/_rels/${base}.rels`, writeXml(element));
    }
    if (pictures > 0) files.set(placeholder, greyPixel);
    for (const [name, { bytes }] of provenPictures.files) files.set(name, bytes);
    return writeZip(files);
  }

  return { main: mainPart, parts: [...copied.values()], pictures, write };
}

/**
 * Redacts the targets of links.
 * @param targets the text of each target; empty for other relationships
 */
function redactTargets(
  element: XmlElement,
  targets: readonly string[],
  hiddenStreams: HiddenStreams,
): void {
  element.children.forEach((child, index) => {
    const target = targets[index];
    if (!('attributes' in child) || !target) return;
    for (const attribute of child.attributes) {
      if (attribute.local !== 'Target') continue;
      attribute.piece = addText(hiddenStreams.hidden, readableTarget(target), redactedTarget);
    }
  });
}
