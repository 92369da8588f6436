import { Problem } from '../../../lib/problem.ts';
import { version } from '../../../shared/contract/version.ts';
import { sendRequest, toBearer } from '../../api/http-request.ts';
import { type Check, NotCheckable } from '../target/check.ts';
import type { VerifyTarget } from '../target/target.ts';

export const versionChecks = ({ url, users, running }: VerifyTarget): Check[] => [
  {
    name: 'Version: same as this checkout',
    expected: `Service-Version: ${version} in replies of the gateway and the operations`,
    cure: 'see fixedHeaders in shared/contract/headers.ts, and check whether a proxy in front of the API removes headers',
    run: async () => {
      const readVersion = async (headers: Record<string, string>) => {
        const response = await sendRequest(`${url}/v1/conversations?limit=1`, { headers });
        const serviceVersion = response.headers['service-version'];
        if (serviceVersion === undefined)
          throw new Problem(`${response.status} without Service-Version`);
        return serviceVersion;
      };
      const gateway = await readVersion({});
      const operations = users && (await readVersion(toBearer(users.all.ANN.token)));
      const commit = running?.findOutput('Commit');
      const description = [
        ...(operations === undefined || operations === gateway
          ? [gateway]
          : [`${gateway} at the gateway`, `${operations} in the operations`]),
        ...(commit === undefined ? [] : [`deployed from commit ${commit}`]),
      ].join(', ');
      // A different version is not a failure: the stage may be older than the checkout, or its
      // functions may have been rolled back.
      if ([gateway, operations ?? gateway].some((one) => one !== version)) {
        throw new NotCheckable(`the stage has ${description}; these checks are for ${version}`);
      }
      return description;
    },
  },
];
