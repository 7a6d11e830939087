import { Empty } from '../../kit/states.tsx';

export default function APIkeys() {
  return (
    <>
      <div class="page-head">
        <h1>API keys</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
