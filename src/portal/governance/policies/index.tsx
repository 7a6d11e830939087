import { Empty } from '../../kit/states.tsx';

export default function Policies() {
  return (
    <>
      <div class="page-head">
        <h1>Policies</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
