import { Empty } from '../../kit/states.tsx';

export default function Trash() {
  return (
    <>
      <div class="page-head">
        <h1>Trash</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
