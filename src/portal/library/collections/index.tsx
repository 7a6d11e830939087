import { Empty } from '../../kit/states.tsx';

export default function Collections() {
  return (
    <>
      <div class="page-head">
        <h1>Collections</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
