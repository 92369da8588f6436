import { exposedHeaders, requestHeaders } from '../../shared/contract/headers.ts';
import { ask, bearer } from './ask.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

const elsewhere = 'https://verify.example.org';

/** Returns the checks of CORS preflights and response headers. */
export const browserChecks = (subject: Subject): Check[] => [
  {
    name: 'Browsers: preflight from an allowed origin',
    expected: '204 with the methods and headers that clients use',
    cure: 'see lib/constructs/api/preflights.ts',
    look: async () => {
      const origin = allowedOrigin(subject);
      const answer = await ask(`${subject.url}/v1/messages`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': requestHeaders.join(', ').toLowerCase(),
        },
      });
      const allowed = answer.headers['access-control-allow-headers']?.toLowerCase() ?? '';
      return without([
        ...(answer.status === 204 ? [] : [`${answer.status}`]),
        ...originFaults(answer.headers['access-control-allow-origin'], origin),
        ...requestHeaders
          .filter((name) => !allowed.includes(name.toLowerCase()))
          .map((name) => `${name} is not allowed`),
        ...(answer.headers['access-control-allow-methods']?.includes('POST')
          ? []
          : ['POST is not allowed']),
      ]);
    },
  },
  {
    name: 'Browsers: reply and headers readable from an allowed origin',
    expected: '200 for that origin, Request-Id exposed',
    cure: 'see shared/http, and ALLOWED_ORIGINS of the functions',
    look: async () => {
      const { ANN } = needed(subject.people, noPeople(subject)).all;
      const origin = allowedOrigin(subject);
      const { status, headers } = await ask(`${subject.url}/v1/conversations?limit=1`, {
        headers: { ...bearer(ANN.token), Origin: origin },
      });
      const exposed = headers['access-control-expose-headers'] ?? '';
      return without([
        ...(status === 200 ? [] : [`${status}`]),
        ...originFaults(headers['access-control-allow-origin'], origin),
        ...exposedHeaders
          .filter((name) => !exposed.includes(name))
          .map((name) => `${name} is not exposed`),
      ]);
    },
  },
  {
    name: 'Browsers: reply not readable from another origin',
    expected: 'a reply that allows other origins only',
    cure: 'see allowedOrigins in lib/stages.ts, and ALLOWED_ORIGINS of the functions',
    look: async () => {
      const origins = needed(subject.stage, noServices).allowedOrigins;
      if (origins.includes('*')) throw new NotCheckable('the stage allows every origin');
      const { ANN } = needed(subject.people, noPeople(subject)).all;
      const { headers } = await ask(`${subject.url}/v1/conversations?limit=1`, {
        headers: { ...bearer(ANN.token), Origin: elsewhere },
      });
      const said = headers['access-control-allow-origin'];
      if (said === '*' || said === elsewhere) throw new Differs(`allows ${said}`);
      return `allows ${said ?? 'none'}`;
    },
  },
];

/** An origin that the stage allows; any origin for an unknown stage. */
function allowedOrigin({ stage }: Subject): string {
  const [first = '*'] = stage?.allowedOrigins ?? [];
  return first === '*' ? elsewhere : first;
}

const originFaults = (said: string | undefined, origin: string) =>
  said === '*' || said === origin ? [] : [`allows the origin ${said ?? 'none'}`];

function without(faults: readonly string[]): string {
  if (faults.length > 0) throw new Differs(faults.join('; '));
  return 'as expected';
}
