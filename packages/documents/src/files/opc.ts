import { posix } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { attributeValue, elementsOf, newElement, parseXml, type XmlElement } from './xml.ts';
import { readZip } from './zip.ts';

/** A reference of a part (ECMA-376 part 2, 6.5) to another part or to an external resource. */
export interface Relationship {
  id: string;
  /** The last segment of the relationship type, such as `hyperlink` or `image`. */
  kind: string;
  target: string;
  external: boolean;
}

export interface Package {
  parts: Map<string, Uint8Array>;
  contentTypeOf(part: string): string;
  /** Whether the file uses the strict form of the standard, which has other namespaces. */
  strict: boolean;
  /** Returns the references of a part, or those of the package itself for an empty name. */
  relationshipsOf(part: string): Relationship[];
}

/** Opens an Office file as a package. Throws EngineError. */
export function readPackage(bytes: Uint8Array): Package {
  const parts = readZip(bytes);
  const types = parts.get('[Content_Types].xml');
  if (!types) {
    throw new EngineError('unsupported', 'The file is not of its declared type.');
  }
  const defaults = new Map<string, string>();
  const overrides = new Map<string, string>();
  for (const element of elementsOf(parseXml(types))) {
    const type = (attributeValue(element, 'ContentType') ?? '').toLowerCase();
    const extension = attributeValue(element, 'Extension');
    const name = attributeValue(element, 'PartName');
    if (extension !== undefined) defaults.set(extension.toLowerCase(), type);
    if (name !== undefined) overrides.set(name.replace(/^\//, '').toLowerCase(), type);
  }
  return {
    parts,
    strict: Buffer.from(parts.get('_rels/.rels') ?? []).includes(strictNs),
    contentTypeOf: (part) =>
      overrides.get(part.toLowerCase()) ??
      defaults.get(posix.extname(part).slice(1).toLowerCase()) ??
      '',
    relationshipsOf: (part) => relationshipsIn(parts, part),
  };
}

/** Returns the references of a part, resolved among the parts that were read. */
export function relationshipsIn(
  parts: ReadonlyMap<string, Uint8Array>,
  part: string,
): Relationship[] {
  const folder = part === '' ? '' : posix.dirname(part);
  const file = posix.join(folder === '.' ? '' : folder, '_rels', `${posix.basename(part)}.rels`);
  const bytes = parts.get(file);
  if (!bytes) return [];
  const resolve = createResolver(parts, folder);
  return elementsOf(parseXml(bytes)).map((element) => {
    const external = attributeValue(element, 'TargetMode') === 'External';
    const target = attributeValue(element, 'Target') ?? '';
    return {
      id: attributeValue(element, 'Id') ?? '',
      kind: posix.basename(attributeValue(element, 'Type') ?? ''),
      target: external ? target : resolve(target),
      external,
    };
  });
}

/**
 * Returns the root elements of the related parts of the given kinds, in the order of the
 * references.
 */
export function relatedRoots(
  { parts }: Package,
  relations: readonly Relationship[],
  ...kinds: readonly string[]
): XmlElement[] {
  return relations
    .filter(({ kind, external }) => !external && kinds.includes(kind))
    .flatMap(({ target }) => {
      const bytes = parts.get(target);
      return bytes ? [parseXml(bytes)] : [];
    });
}

/** Creates a function that finds the part that a target names, ignoring case. */
function createResolver(
  parts: ReadonlyMap<string, Uint8Array>,
  folder: string,
): (target: string) => string {
  let byLowerCase: Map<string, string> | undefined;
  return (target) => {
    const path = posix
      .normalize(posix.join('/', target.startsWith('/') ? '' : folder, target))
      .slice(1);
    if (parts.has(path)) return path;
    byLowerCase ??= new Map([...parts.keys()].map((name) => [name.toLowerCase(), name]));
    return byLowerCase.get(path.toLowerCase()) ?? path;
  };
}

const relationshipsNs = 'http://schemas.openxmlformats.org/package/2006/relationships';
const typesNs = 'http://schemas.openxmlformats.org/package/2006/content-types';
const kindsNs = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const strictNs = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

/** Returns the content of the part that lists the references of another part. */
export function relationshipsPart(
  relationships: readonly Relationship[],
  strict: boolean,
): XmlElement {
  return newElement(
    'Relationships',
    { xmlns: relationshipsNs },
    relationships.map(({ id, kind, target, external }) =>
      newElement('Relationship', {
        Id: id,
        Type: `${strict ? strictNs : kindsNs}/${kind}`,
        Target: target,
        ...(external ? { TargetMode: 'External' } : {}),
      }),
    ),
  );
}

/** Returns the content of the part that lists the type of each part. */
export function contentTypesPart(types: ReadonlyMap<string, string>): XmlElement {
  return newElement('Types', { xmlns: typesNs }, [
    newElement('Default', {
      Extension: 'rels',
      ContentType: 'application/vnd.openxmlformats-package.relationships+xml',
    }),
    newElement('Default', { Extension: 'xml', ContentType: 'application/xml' }),
    newElement('Default', { Extension: 'png', ContentType: 'image/png' }),
    ...[...types].map(([name, type]) =>
      newElement('Override', { PartName: `/${name}`, ContentType: type }),
    ),
  ]);
}

/** Namespaces of references from parts to relationships, transitional and strict. */
export const isRelationshipNamespace = (uri: string): boolean =>
  uri === kindsNs || uri === strictNs;
