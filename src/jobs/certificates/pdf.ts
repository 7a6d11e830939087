import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib';

const pageSize: [number, number] = [595.28, 841.89];
const margin = 56;
const lineHeight = 13;

/**
 * A certificate for people, as PDF. The signed JSON is attached as `certificate.json`, which is the
 * file to verify.
 */
export async function certificatePdf(signed: Certificate): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const finishedAt = new Date(signed.certificate.finished_at);
  document.setTitle(`Certificate of redaction ${signed.certificate.job_id}`);
  document.setCreationDate(finishedAt);
  document.setModificationDate(finishedAt);
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  let page: PDFPage | undefined;
  let y = 0;
  for (const { text, heading } of linesOf(signed)) {
    const font = heading ? bold : plain;
    for (const line of wrapText(text, font, pageSize[0] - 2 * margin)) {
      if (!page || y < margin) {
        page = document.addPage(pageSize);
        y = pageSize[1] - margin;
      }
      y -= heading ? lineHeight * 1.6 : lineHeight;
      page.drawText(line, { x: margin, y, size: 9, font });
    }
  }
  await document.attach(Buffer.from(JSON.stringify(signed, null, 2)), 'certificate.json', {
    mimeType: 'application/json',
    description: 'The signed certificate',
    creationDate: finishedAt,
    modificationDate: finishedAt,
  });
  return document.save();
}

interface Line {
  text: string;
  heading?: true;
}

function linesOf({ certificate, signature }: Certificate): Line[] {
  const { source, outputs, result, reviewed, engines } = certificate;
  const heading = (text: string): Line => ({ text, heading: true });
  const field = (name: string, value: unknown): Line => ({ text: `${name}: ${String(value)}` });
  const people = reviewed?.by.map(({ type, id, name }) => name ?? id ?? type).join(', ');
  return [
    heading('Certificate of redaction'),
    field('Not removed, because people rejected the findings', describeRejections(certificate)),
    field('Project', certificate.project_id),
    field('Job', certificate.job_id),
    field('Started', certificate.started_at),
    field('Finished', certificate.finished_at),
    field('Verified', result.verified ? 'yes' : 'no'),
    heading('Source'),
    field('Object', source.object_id),
    field('Type and size', `${source.mime}, ${source.bytes} bytes`),
    field('SHA-256', source.sha256),
    ...outputs.flatMap((output) => [
      heading('Output'),
      field('Object', output.object_id),
      field('Type and size', `${output.mime}, ${output.bytes} bytes`),
      field('SHA-256', output.sha256),
    ]),
    heading('Removed, by type'),
    ...Object.entries(result.entities_by_type).map(([type, n]) => field(type, n)),
    heading('Review'),
    ...(reviewed
      ? [
          field('Reviewed by', people),
          field('Submitted', reviewed.at),
          field(
            'Findings',
            `${reviewed.accepted} accepted, ${reviewed.rejected} rejected, ${reviewed.added} added`,
          ),
        ]
      : [{ text: 'No person reviewed the findings.' }]),
    heading('Checks'),
    ...result.checks.map(({ name, passed, detail }) =>
      field(name, `${passed ? 'passed' : 'failed'}. ${detail}`),
    ),
    heading('Engines'),
    ...Object.entries(engines).map(([name, version]) => field(name, version)),
    heading('Signature'),
    field(
      'Algorithm',
      `${signature.algorithm} over canonical JSON (${signature.canonicalization})`,
    ),
    field('Key', signature.key_id),
    field('Value', signature.value),
    { text: 'Verify the attached file certificate.json.' },
  ];
}

function describeRejections({ rejected_by_type: byType }: Certificate['certificate']): string {
  return (
    Object.entries(byType)
      .map(([type, n]) => `${type} ${n}`)
      .join(', ') || 'none'
  );
}

/** Wraps text to `width` points. Characters that the font lacks become question marks. */
function wrapText(text: string, font: PDFFont, width: number): string[] {
  const supported = new Set(font.getCharacterSet());
  const printable = [...text]
    .map((character) => (supported.has(character.codePointAt(0)!) ? character : '?'))
    .join('');
  const lines: string[] = [''];
  for (const word of printable.split(' ').flatMap((part) => part.match(/.{1,80}/gu) ?? [''])) {
    const last = lines.at(-1)!;
    const extended = last === '' ? word : `${last} ${word}`;
    if (font.widthOfTextAtSize(extended, 9) <= width) lines[lines.length - 1] = extended;
    else lines.push(word);
  }
  return lines;
}
