import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { OneDelivery } from './deliveries/delivery.tsx';
import { NewWebhook } from './form/new.tsx';
import { WebhookList } from './list.tsx';
import { isSide, OneWebhook } from './one.tsx';
import { Playground } from './playground/playground.tsx';
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
      <Route path="/playground">
        <Playground />
      </Route>
      <Route path="/:id/deliveries/:delivery">
        {({ id, delivery }) => <OneDelivery key={delivery} webhookId={id} id={delivery} />}
      </Route>
      <Route path="/:id/:side?">
        {({ id, side = 'deliveries' }) =>
          isSide(side) ? <OneWebhook key={id} id={id} side={side} /> : <PageNotFound />
        }
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
