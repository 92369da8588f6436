import type { Stage } from '../../lib/stages.ts';
import { version } from '../../shared/contract/version.ts';

/** Names and groups of the test users, by the shell variable for each user's token. */
const testUsers = {
  ANN: 'qa-ann --groups team,friends',
  BOB: 'qa-bob --groups team',
  CAROL: 'qa-carol --groups friends',
};

export function formatNextSteps(
  stageName: string,
  stage: Pick<Stage, 'identity' | 'domain'>,
  outputs: Record<string, string>,
  commit: string | undefined,
): string[] {
  const { ApiUrl = '', DomainTarget } = outputs;
  const url = ApiUrl.replace(/\/$/, '');
  const { identity, domain } = stage;
  const tokenLines =
    identity === 'user-pool'
      ? Object.entries(testUsers).map(
          ([name, user]) =>
            `  export ${name}=$(npm run -s token -- --stage ${stageName} --user ${user})`,
        )
      : Object.keys(testUsers).map((name) => `  export ${name}=<a token of ${identity.issuer}>`);
  return [
    '',
    `API of ${stageName}: ${url}`,
    `Version: ${version}${commit === undefined ? '' : `, commit ${commit}`}`,
    ...(domain ? [`Create an alias or CNAME record from ${domain.name} to ${DomainTarget}.`] : []),
    '',
    'Try it:',
    `  export API_URL=${url}`,
    ...tokenLines,
    '  curl "$API_URL/v1/conversations" -H "Authorization: Bearer $ANN"',
    '',
    'To verify the stage:',
    `  npm run verify -- --stage ${stageName}`,
    '',
    'After the first deployment, complete the manual checks in docs/first-deploy.md',
  ];
}
