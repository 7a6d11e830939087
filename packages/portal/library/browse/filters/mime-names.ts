import { openDocument, openXml } from './file-kinds.ts';

const names: Record<string, string> = {
  'application/pdf': 'PDF',
  [`${openXml}wordprocessingml.document`]: 'Word document',
  [`${openXml}spreadsheetml.sheet`]: 'Excel workbook',
  [`${openXml}presentationml.presentation`]: 'PowerPoint presentation',
  [openXml.slice(0, -1)]: 'Office document',
  [`${openDocument}text`]: 'OpenDocument text',
  [`${openDocument}spreadsheet`]: 'OpenDocument spreadsheet',
  [`${openDocument}presentation`]: 'OpenDocument presentation',
  'application/x-ole-storage': 'Older Office document',
  'application/rtf': 'Rich text',
  'application/epub+zip': 'EPUB',
  'message/rfc822': 'E-mail',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'text/html': 'Web page',
  'application/xhtml+xml': 'Web page',
  'text/javascript': 'JavaScript',
  'text/tab-separated-values': 'TSV',
  'text/x-script': 'Script',
  'image/*': 'All images',
  'image/svg+xml': 'SVG',
  'image/vnd.adobe.photoshop': 'Photoshop image',
  'image/jp2': 'JPEG 2000',
  'image/j2c': 'JPEG 2000',
  'image/jxl': 'JPEG XL',
  'audio/mpeg': 'MP3',
  'audio/mp4': 'MPEG-4 audio',
  'video/mp4': 'MPEG-4 video',
  'video/quicktime': 'QuickTime video',
  'video/x-matroska': 'Matroska video',
  'video/x-msvideo': 'AVI',
  'application/x-7z-compressed': '7-Zip archive',
  'application/vnd.rar': 'RAR archive',
  'application/zip': 'ZIP archive',
  'application/gzip': 'Gzip archive',
  'application/zstd': 'Zstandard archive',
  'application/x-tar': 'Tar archive',
  'application/x-xz': 'XZ archive',
  'application/x-bzip2': 'Bzip2 archive',
  'application/postscript': 'PostScript',
  'application/wasm': 'WebAssembly',
  'application/java-archive': 'Java archive',
  'application/java-vm': 'Java class',
  'application/vnd.microsoft.portable-executable': 'Windows program',
  'application/x-elf': 'Linux program',
  'application/x-mach-binary': 'macOS program',
  'application/x-ms-shortcut': 'Windows shortcut',
  'application/vnd.android.package-archive': 'Android package',
  'application/vnd.android.dex': 'Android program',
  'application/vnd.debian.binary-package': 'Debian package',
  'application/x-rpm': 'RPM package',
  'application/octet-stream': 'File',
};

/** The programs whose older files have one media type in common. */
const olderOfficeNames: Record<string, string> = {
  doc: 'Word document',
  dot: 'Word template',
  xls: 'Excel workbook',
  ppt: 'PowerPoint presentation',
  msg: 'Outlook message',
  vsd: 'Visio drawing',
  pub: 'Publisher document',
};

/**
 * Returns the name of a media type. The name of the file tells apart the types of older Office files,
 * which have the same media type.
 */
export function mimeName(mime: string, filename = ''): string {
  const extension = filename.split('.').at(-1)?.toLowerCase() ?? '';
  const olderName = mime === 'application/x-ole-storage' ? olderOfficeNames[extension] : undefined;
  return olderName ?? names[mime] ?? subtypeName(mime);
}

/** The subtype of a media type without a name: `image/webp` is WEBP. */
function subtypeName(mime: string): string {
  return mime
    .replace(/^[^/]*\/(x-|vnd\.)?/, '')
    .replace(/\+(xml|json|zip)$/, '')
    .toUpperCase();
}
