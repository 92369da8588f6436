import { version } from '../../shared/contract/version.ts';
import { ask, bearer } from './ask.ts';
import { type Check, Differs, NotCheckable } from './check.ts';
import type { Subject } from './subject.ts';

/** Returns the check that the stage has the version of these checks. */
export const versionChecks = ({ url, people, running }: Subject): Check[] => [
  {
    name: 'Version: same as this checkout',
    expected: `Service-Version: ${version} in replies of the gateway and the operations`,
    cure: 'see fixedHeaders in shared/contract/headers.ts, and check whether a proxy in front of the API removes headers',
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
      // Not a failure: the stage may be older than the checkout, or its functions may have been
      // rolled back.
      if ([gateway, operations ?? gateway].some((one) => one !== version)) {
        throw new NotCheckable(`the stage has ${seen}; these checks are for ${version}`);
      }
      return seen;
    },
  },
];
