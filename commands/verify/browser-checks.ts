import { exposedHeaders, requestHeaders } from '../../shared/contract/headers.ts';
import { ask, bearer } from './ask.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

const elsewhere = 'https://verify.example.org';

/** What browsers ask before they let a page see a reply. */
export const browserChecks = (subject: Subject): Check[] => [
  {
    name: 'Browsers: a page of an allowed origin asks before it sends',
    expected: '204, and may send what clients send',
    cure: 'look at lib/constructs/api/preflights.ts',
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
          .map((name) => `may not send ${name}`),
        ...(answer.headers['access-control-allow-methods']?.includes('POST')
          ? []
          : ['may not POST']),
      ]);
    },
  },
  {
    name: 'Browsers: a page of an allowed origin reads a reply and its headers',
    expected: '200 for that origin, Request-Id exposed',
    cure: 'look at shared/http, and at ALLOWED_ORIGINS of the functions',
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
    name: 'Browsers: a page of another origin reads nothing',
    expected: 'a reply that is for other origins',
    cure: 'look at allowedOrigins in lib/stages.ts, and at ALLOWED_ORIGINS of the functions',
    look: async () => {
      const origins = needed(subject.stage, noServices).allowedOrigins;
      if (origins.includes('*')) throw new NotCheckable('the stage allows every origin');
      const { ANN } = needed(subject.people, noPeople(subject)).all;
      const { headers } = await ask(`${subject.url}/v1/conversations?limit=1`, {
        headers: { ...bearer(ANN.token), Origin: elsewhere },
      });
      const said = headers['access-control-allow-origin'];
      if (said === '*' || said === elsewhere) throw new Differs(`it is for ${said}`);
      return `it is for ${said ?? 'none'}`;
    },
  },
];

/** One that the stage allows; of a stage that is not known, any. */
function allowedOrigin({ stage }: Subject): string {
  const [first = '*'] = stage?.allowedOrigins ?? [];
  return first === '*' ? elsewhere : first;
}

const originFaults = (said: string | undefined, origin: string) =>
  said === '*' || said === origin ? [] : [`it is for the origin ${said ?? 'of nobody'}`];

function without(faults: readonly string[]): string {
  if (faults.length > 0) throw new Differs(faults.join('; '));
  return 'so it is';
}
