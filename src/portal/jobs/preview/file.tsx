import { Empty } from '../../kit/states.tsx';
import { PdfPreview } from './pdf.tsx';
import './preview.css';
import { TextPreview } from './text.tsx';

/** A stored file, to look at before it is downloaded. */
export interface ShownFile {
  objectId: string;
  mime: string;
  bytes: number;
  /** What it is as an output of a job. */
  kind?: string;
}

export default function FilePreview(file: ShownFile) {
  const { objectId, mime } = file;
  if (mime === 'application/pdf') return <PdfPreview objectId={objectId} />;
  const isText = mime.startsWith('text/') || mime.includes('json');
  if (isText) return <TextPreview file={file} />;
  return (
    <Empty title="There is no preview of this kind">
      A file of the kind {mime} is to be downloaded and opened where it belongs.
    </Empty>
  );
}
