import type { Certificate } from '../wire/certificates.ts';
import { maxCertificateBytes, parseCertificate } from './parse.ts';

/** Larger PDFs are not searched for a certificate: those of the service have a few megabytes at most. */
const maxPdfBytes = 32 * 1024 * 1024;

/**
 * Reads the certificate in a file: the JSON, or the PDF to which it is attached. Null for any other
 * file.
 */
export async function readCertificateFile(file: Blob): Promise<Certificate | null> {
  const start = await file.slice(0, 1024).text();
  if (start.includes('%PDF-')) {
    return file.size <= maxPdfBytes ? readAttachment(await file.arrayBuffer()) : null;
  }
  return file.size <= maxCertificateBytes ? parseCertificate(await file.text()) : null;
}

/**
 * Reads the certificate attached to a PDF. Embedded files are streams of their own, so they are
 * found without reading the structure of the PDF, as long as it is not encrypted.
 */
async function readAttachment(pdf: ArrayBuffer): Promise<Certificate | null> {
  // One character for each byte, so that positions are those of the bytes.
  const text = new TextDecoder('latin1').decode(pdf);
  for (const { index } of text.matchAll(/\/Type\s*\/EmbeddedFile\b/g)) {
    const dictionary = text.slice(text.lastIndexOf(' obj', index), text.indexOf('stream', index));
    const start = text.indexOf('stream', index) + 'stream'.length;
    const content = start + (text.startsWith('\r\n', start) ? 2 : 1);
    const end = content + Number(/\/Length (\d+)(?! \d+ R)/.exec(dictionary)?.[1]);
    if (!text.slice(end, end + 12).includes('endstream')) continue;
    const json = await decodeStream(pdf.slice(content, end), dictionary.includes('/FlateDecode'));
    const certificate = json === null ? null : parseCertificate(json);
    if (certificate) return certificate;
  }
  return null;
}

/** Decodes a stream of a PDF; null if it is damaged, or too large for a certificate. */
async function decodeStream(bytes: ArrayBuffer, isCompressed: boolean): Promise<string | null> {
  const stored = new Blob([bytes]).stream();
  const reader = (
    isCompressed ? stored.pipeThrough(new DecompressionStream('deflate')) : stored
  ).getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length <= maxCertificateBytes) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // Damaged: nothing that it contains is a certificate.
  }
  return null;
}
