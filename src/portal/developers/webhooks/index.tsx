import { Empty } from '../../kit/states.tsx';

export default function Webhooks() {
  return (
    <>
      <div class="page-head">
        <h1>Webhooks</h1>
      </div>
      <Empty title="Not built yet" />
    </>
  );
}
