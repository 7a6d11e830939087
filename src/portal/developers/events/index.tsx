import { Empty } from '../../kit/states.tsx';

export default function Events() {
  return (
    <>
      <div class="page-head">
        <h1>Events</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
