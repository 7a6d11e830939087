import { Empty } from '../../kit/states.tsx';

export default function Audit() {
  return (
    <>
      <div class="page-head">
        <h1>Audit</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
