import * as v from 'valibot';
import type { Assembly } from '../../../lib/synthesis/template.ts';

/** Timeout of functions in seconds. No request takes this long, even on a busy machine. */
const functionTimeout = 120;

const Integration = v.looseObject({ Type: v.string() });

/**
 * Returns the stack with function timeouts of at least `seconds` and a longer gateway timeout. On a
 * busy machine, requests and cold starts can exceed the deployed timeouts.
 */
export function raiseTimeouts(assembly: Assembly, seconds = functionTimeout): Assembly {
  const template = structuredClone(assembly.template);
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type === 'AWS::Lambda::Function')
      Properties.Timeout = Math.max(Number(Properties.Timeout ?? 0), seconds);
    if (Type !== 'AWS::ApiGateway::Method') continue;
    const integration = v.parse(Integration, Properties.Integration);
    if (integration.Type !== 'AWS_PROXY') continue;
    Properties.Integration = { ...integration, TimeoutInMillis: gatewayMilliseconds };
  }
  return { ...assembly, template };
}

/** The gateway's timeout. Includes the cold starts of the authorizer and the function. */
export const gatewayMilliseconds = 600_000;
