import { Route, Switch } from 'wouter-preact';
import { OneDelivery } from './deliveries/delivery.tsx';
import { NewWebhook } from './form/new.tsx';
import { WebhookList } from './list.tsx';
import { OneWebhook } from './one.tsx';
import '../developers.css';
import './webhooks.css';

export default function Webhooks() {
  return (
    <Switch>
      <Route path="/">
        <WebhookList />
      </Route>
      <Route path="/new">
        <NewWebhook />
      </Route>
      <Route path="/:id/deliveries/:delivery">
        {({ id, delivery }) => <OneDelivery key={delivery} webhookId={id} id={delivery} />}
      </Route>
      <Route path="/:id/:side?">
        {({ id, side }) => <OneWebhook key={id} id={id} side={side ?? 'deliveries'} />}
      </Route>
    </Switch>
  );
}
