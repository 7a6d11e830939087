import { EngineError } from '@scriptorium/sandbox/errors';
import { parseXml, walk, type XmlElement } from './xml.ts';
import { readZip } from './zip.ts';

export type OdfKind = 'odt' | 'ods' | 'odp';

/** The media type of each kind, and the element of the body with its content (ODF 1.3 part 3, 3.3). */
export const odfKinds: Readonly<Record<OdfKind, { mime: string; content: string }>> = {
  odt: { mime: 'application/vnd.oasis.opendocument.text', content: 'text' },
  ods: { mime: 'application/vnd.oasis.opendocument.spreadsheet', content: 'spreadsheet' },
  odp: { mime: 'application/vnd.oasis.opendocument.presentation', content: 'presentation' },
};

export interface OdfPackage {
  parts: Map<string, Uint8Array>;
  /** The list of parts; undefined if it is missing. */
  manifest: XmlElement | undefined;
  /** Returns the root of a part; undefined if the part is missing. Throws EngineError. */
  rootOf(part: string): XmlElement | undefined;
}

/** Opens a file in OpenDocument. Throws EngineError, also if it is encrypted. */
export function readOdfPackage(bytes: Uint8Array): OdfPackage {
  const parts = readZip(bytes);
  const manifestBytes = parts.get('META-INF/manifest.xml');
  const manifest = manifestBytes && parseXml(manifestBytes);
  // Encrypted parts are not XML.
  if (manifest && isEncrypted(manifest)) {
    throw new EngineError('encrypted', 'The file is encrypted with a password.');
  }
  return {
    parts,
    manifest,
    rootOf: (part) => {
      const content = parts.get(part);
      return content && parseXml(content);
    },
  };
}

function isEncrypted(manifest: XmlElement): boolean {
  let found = false;
  walk(manifest, ({ local }) => {
    if (local === 'encryption-data' || local === 'encrypted-key') found = true;
  });
  return found;
}

/**
 * Returns the folder of an embedded object, without slashes at its ends; null for a target outside
 * the file.
 */
export function objectFolder(target: string): string | null {
  const folder = target.replace(/^\.\//, '').replace(/\/$/, '');
  return folder === '' || /^[a-z][\w+.-]*:|^\/|\.\./i.test(folder) ? null : folder;
}
