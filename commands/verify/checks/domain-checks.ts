import { Problem } from '../../../lib/problem.ts';
import { summarize } from '../../api/call-operation.ts';
import { sendRequest } from '../../api/http-request.ts';
import { requireAws } from '../../stage/require-aws.ts';
import { type Check, NotCheckable, requireValue } from '../target/check.ts';
import { noServicesReason, type VerifyTarget } from '../target/target.ts';

export const domainChecks = ({ kind, name, stage, deployed }: VerifyTarget): Check[] => [
  {
    name: 'Domain: the default endpoint of API Gateway is disabled',
    expected: '403 Forbidden',
    cure: 'see disableExecuteApiEndpoint in lib/constructs/api/messaging-api.ts; a change takes effect only after a deployment',
    run: async () => {
      if (kind === 'local') throw new NotCheckable('the local cloud has no custom domain');
      if (!requireValue(stage, noServicesReason).domain)
        throw new NotCheckable('the stage has no custom domain');
      const [api = ''] = await requireValue(deployed, noServicesReason).resources(
        'AWS::ApiGateway::RestApi',
      );
      const host = `${api}.execute-api.${await requireAws()}.amazonaws.com`;
      const response = await sendRequest(`https://${host}/${name}/v1/messages`);
      if (response.status !== 403) throw new Problem(summarize(response));
      return summarize(response);
    },
  },
];
