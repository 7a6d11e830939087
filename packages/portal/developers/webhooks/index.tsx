import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { DeliveryPage } from './deliveries/delivery-page.tsx';
import { NewWebhook } from './form/new-webhook.tsx';
import { WebhookList } from './list.tsx';
import { Playground } from './playground/playground.tsx';
import { isTab, WebhookPage } from './webhook-page.tsx';
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
        {({ id, delivery }) => <DeliveryPage key={delivery} webhookId={id} id={delivery} />}
      </Route>
      <Route path="/:id/:tab?">
        {({ id, tab = 'deliveries' }) =>
          isTab(tab) ? <WebhookPage key={id} id={id} tab={tab} /> : <PageNotFound />
        }
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
