import type { Stage } from '../../lib/stages.ts';
import { version } from '../../shared/contract/version.ts';

/** People to try it as, by the variables that name their tokens: a user each, and the groups that it is in. */
const testers = {
  ANN: 'qa-ann --groups team,friends',
  BOB: 'qa-bob --groups team',
  CAROL: 'qa-carol --groups friends',
};

/** What to do with a stage that was just deployed, in commands to copy. */
export function nextSteps(
  stageName: string,
  stage: Pick<Stage, 'identity' | 'domain'>,
  outputs: Record<string, string>,
  commit: string | undefined,
): string[] {
  const { ApiUrl = '', DomainTarget } = outputs;
  const url = ApiUrl.replace(/\/$/, '');
  const { identity, domain } = stage;
  const tokens =
    identity === 'user-pool'
      ? Object.entries(testers).map(
          ([name, user]) =>
            `  export ${name}=$(npm run -s token -- --stage ${stageName} --user ${user})`,
        )
      : Object.keys(testers).map((name) => `  export ${name}=<a token of ${identity.issuer}>`);
  return [
    '',
    `The API of ${stageName} is at ${url}`,
    `It is version ${version}${commit === undefined ? '' : `, of the commit ${commit}`}.`,
    ...(domain ? [`${domain.name} must be an alias or a CNAME of ${DomainTarget}.`] : []),
    '',
    'Try it:',
    `  export API_URL=${url}`,
    ...tokens,
    '  curl "$API_URL/v1/conversations" -H "Authorization: Bearer $ANN"',
    '',
    'Does it work, as far as a program can see:',
    `  npm run verify -- --stage ${stageName}`,
    '',
    'What is left to look at once, after the first deployment: docs/first-deploy.md',
  ];
}
