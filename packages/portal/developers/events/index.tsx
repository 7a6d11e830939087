import { Route, Switch } from 'wouter-preact';
import { PageNotFound } from '../../kit/states.tsx';
import { Consumers } from './consumers.tsx';
import { EventTypes } from './event-types.tsx';
import { Feed } from './feed.tsx';
import '../developers.css';
import './events.css';

export default function Events() {
  return (
    <Switch>
      <Route path="/consumers">
        <Consumers />
      </Route>
      <Route path="/types">
        <EventTypes />
      </Route>
      <Route path="/:id?">{({ id }) => <Feed openId={id ?? null} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}
