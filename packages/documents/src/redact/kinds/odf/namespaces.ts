/**
 * Returns the short name of a namespace of OpenDocument whose elements and attributes are kept, such
 * as `text`; null for all other namespaces: metadata, forms, scripts, animations, extensions.
 */
export function namespaceOf(uri: string): string | null {
  if (uri === 'http://www.w3.org/1999/xlink') return 'xlink';
  const [, name] =
    /^urn:oasis:names:tc:opendocument:xmlns:(office|style|text|table|drawing|xsl-fo-compatible|svg-compatible|datastyle|presentation|chart|dr3d|of):1\.\d$/.exec(
      uri,
    ) ?? [];
  return name ?? null;
}

/** The namespace of an element, which is empty for an unknown one, and its local name. */
export const qualifiedName = ({ uri, local }: { uri: string; local: string }): string =>
  `${namespaceOf(uri) ?? ''}:${local}`;
