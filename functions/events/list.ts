import { listEvents } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { readEventsPage } from '../../shared/table/feed/read/events-page.ts';

export const handler = serve(listEvents, ({ caller, query }) =>
  readEventsPage(caller, query.starting_after, query.limit),
);
