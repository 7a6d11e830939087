import { Empty } from '../../kit/states.tsx';
import { DropTarget, UploadButton } from '../uploads/index.tsx';

export default function Collections() {
  return (
    <DropTarget>
      <div class="page-head">
        <h1>Collections</h1>
        <UploadButton />
      </div>
      <Empty title="Not built yet" />
    </DropTarget>
  );
}
