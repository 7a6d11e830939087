/**
 * Namespaces whose elements and attributes are kept in Office files. All other namespaces are
 * dropped.
 */
const knownNamespaces = [
  /^http:\/\/schemas\.openxmlformats\.org\/wordprocessingml\/2006\/main$/,
  /^http:\/\/schemas\.openxmlformats\.org\/(spreadsheetml|presentationml)\/2006\/main$/,
  /^http:\/\/schemas\.openxmlformats\.org\/officeDocument\/2006\/(relationships|math)$/,
  /^http:\/\/schemas\.openxmlformats\.org\/markup-compatibility\/2006$/,
  /^http:\/\/schemas\.openxmlformats\.org\/drawingml\/2006\/(main|chart|diagram|picture|wordprocessingDrawing|spreadsheetDrawing|lockedCanvas)$/,
  /^http:\/\/schemas\.openxmlformats\.org\/package\/2006\/(relationships|content-types)$/,
  /^http:\/\/purl\.oclc\.org\/ooxml\/(wordprocessingml|spreadsheetml|presentationml)\/main$/,
  /^http:\/\/purl\.oclc\.org\/ooxml\/officeDocument\/(relationships|math)$/,
  /^http:\/\/purl\.oclc\.org\/ooxml\/drawingml\/(main|chart|diagram|picture|wordprocessingDrawing|spreadsheetDrawing)$/,
  /^urn:schemas-microsoft-com:(vml|office:(office|word|excel))$/,
  /^http:\/\/schemas\.microsoft\.com\/office\/word\/2010\/(wordml|wordprocessingShape|wordprocessingGroup|wordprocessingCanvas|wordprocessingDrawing)$/,
  /^http:\/\/schemas\.microsoft\.com\/office\/drawing\/2010\/main$/,
  /^http:\/\/www\.w3\.org\/XML\/1998\/namespace$/,
];

const cache = new Map<string, boolean>();

export function isKnownNamespace(uri: string): boolean {
  const cached = cache.get(uri);
  if (cached !== undefined) return cached;
  const answer = knownNamespaces.some((pattern) => pattern.test(uri));
  if (cache.size < 1000) cache.set(uri, answer);
  return answer;
}
