import { ask } from './ask.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { inShort } from './client.ts';
import { noServices, type Subject } from './subject.ts';

/** Returns the check that a stage with a custom domain is reachable only there. */
export const domainChecks = ({ kind, name, stage, deployed }: Subject): Check[] => [
  {
    name: 'Domain: the default endpoint of API Gateway is disabled',
    expected: '403 Forbidden',
    cure: 'see disableExecuteApiEndpoint in lib/constructs/api/messaging-api.ts; it takes effect with a deployment',
    look: async () => {
      if (kind === 'local') throw new NotCheckable('the local cloud has no custom domain');
      if (!needed(stage, noServices).domain)
        throw new NotCheckable('the stage has no custom domain');
      const [api = ''] = await needed(deployed, noServices).resources('AWS::ApiGateway::RestApi');
      const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
      const host = `${api}.execute-api.${needed(region, 'AWS_REGION is not set')}.amazonaws.com`;
      const answer = await ask(`https://${host}/${name}/v1/messages`);
      if (answer.status !== 403) throw new Differs(inShort(answer));
      return inShort(answer);
    },
  },
];
