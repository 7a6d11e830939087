import { Empty } from '../../kit/states.tsx';
import { PdfPreview } from './pdf.tsx';
import './preview.css';
import { TextPreview } from './text.tsx';

/** A stored file to preview. */
export interface PreviewedFile {
  objectId: string;
  mime: string;
  bytes: number;
  /** The output kind, for outputs of jobs. */
  kind?: string;
}

export default function FilePreview(file: PreviewedFile) {
  const { objectId, mime } = file;
  if (mime === 'application/pdf') return <PdfPreview objectId={objectId} />;
  const isText = mime.startsWith('text/') || mime.includes('json');
  if (isText) return <TextPreview file={file} />;
  return <Empty title="No preview available">Download the file to open it. Type: {mime}</Empty>;
}
