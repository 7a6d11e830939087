import { Empty } from '../kit/states.tsx';

export default function Jobs() {
  return (
    <>
      <div class="page-head">
        <h1>Jobs</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
