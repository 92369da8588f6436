import { listEvents } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { eventsPage } from '../../shared/table/feed/page.ts';

export const handler = serve(listEvents, ({ caller, query }) =>
  eventsPage(caller, query.starting_after, query.limit),
);
