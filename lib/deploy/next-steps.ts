import type { Stage } from '../stages.ts';

/** Who the acceptance tests are, by their variables: a user and the groups that the stories need. */
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
    ...(domain ? [`${domain.name} must be an alias or a CNAME of ${DomainTarget}.`] : []),
    '',
    'Try it:',
    `  export API_URL=${url}`,
    ...tokens,
    '  curl "$API_URL/v1/conversations" -H "Authorization: Bearer $ANN"',
    '',
    'The acceptance tests:',
    '  npm run test:acceptance',
    '',
    'What to look at once, after the first deployment: docs/first-deploy.md',
  ];
}
