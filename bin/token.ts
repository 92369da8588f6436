/** `npm run -s token -- ann --groups team`: prints a token, and nothing else. */
import { complaintOf } from '../lib/command/command.ts';
import {
  type LocalRequest,
  type StageRequest,
  tokenRequest,
  UsageProblem,
  usage,
} from '../lib/identity/token-options.ts';
import { localIssuer } from '../lib/local/identity.ts';
import { codeOf, messageOf } from '../lib/problem.ts';

async function main(): Promise<void> {
  const request = tokenRequest(process.argv.slice(2));
  if (!request) console.log(usage);
  else if ('stage' in request) await printOfStage(request);
  else await printLocal(request);
}

async function printLocal({ contactId, claims, directory }: LocalRequest): Promise<void> {
  const { token } = await localIssuer(directory);
  console.log(await token(contactId, claims));
}

async function printOfStage(request: StageRequest): Promise<void> {
  // Whoever wants a local token need not wait for the CDK and the AWS clients to load.
  const { stageNamed } = await import('../lib/stages.ts');
  const { refuseOtherStages } = await import('../lib/identity/token-stage.ts');
  refuseOtherStages(request, stageNamed(request.stage));
  const { stageToken } = await import('../lib/identity/stage-token.ts');
  const { contactId, token } = await stageToken(request);
  // Others write to the user by this id, and stdout is the token's.
  if (token !== undefined) console.error(`${request.user} is the contact ${contactId}.`);
  console.log(token ?? contactId);
}

main().catch((error) => {
  const isUsage =
    error instanceof UsageProblem || String(codeOf(error)).startsWith('ERR_PARSE_ARGS');
  if (isUsage) console.error(`${messageOf(error)}\n\n${usage}`);
  else console.error(complaintOf(error));
  process.exitCode = 1;
});
