import { version } from '../../shared/contract/version.ts';
import { ask, bearer } from './ask.ts';
import { type Check, Differs, NotCheckable } from './check.ts';
import type { Subject } from './subject.ts';

/** Whether the stage is of the version that these checks are of. */
export const versionChecks = ({ url, people, running }: Subject): Check[] => [
  {
    name: 'Version: the stage has that of this checkout',
    expected: `Service-Version: ${version} on what the gateway and the operations answer`,
    cure: 'look at fixedHeaders in shared/contract/headers.ts, and whether something before the API takes headers away',
    look: async () => {
      const told = async (headers: Record<string, string>) => {
        const answer = await ask(`${url}/v1/conversations?limit=1`, { headers });
        const said = answer.headers['service-version'];
        if (said === undefined) throw new Differs(`${answer.status} without Service-Version`);
        return said;
      };
      const gateway = await told({});
      const operations = people && (await told(bearer(people.all.ANN.token)));
      const commit = running?.outputIfAny('Commit');
      const seen = [
        ...(operations === undefined || operations === gateway
          ? [gateway]
          : [`${gateway} at the gateway`, `${operations} in the operations`]),
        ...(commit === undefined ? [] : [`deployed from the commit ${commit}`]),
      ].join(', ');
      // No fault of the stage: it may be older than the checkout, or its functions may have been
      // led back.
      if ([gateway, operations ?? gateway].some((one) => one !== version)) {
        throw new NotCheckable(`it is ${seen}; these checks are of ${version}`);
      }
      return seen;
    },
  },
];
