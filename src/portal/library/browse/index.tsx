import { Empty } from '../../kit/states.tsx';

export default function Browse() {
  return (
    <>
      <div class="page-head">
        <h1>Browse</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
