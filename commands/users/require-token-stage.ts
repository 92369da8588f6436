import { Problem } from '../../lib/problem.ts';
import type { Stage } from '../../lib/stages.ts';
import type { StageRequest } from './token-request.ts';

/**
 * Throws a Problem if the stage uses an external identity provider, or if the stage retains its
 * data and the operator has not added `--yes-prod`.
 */
export function requireTokenStage(
  request: Pick<StageRequest, 'stage' | 'yesProd'>,
  { identity, keepsData }: Pick<Stage, 'identity' | 'keepsData'>,
): void {
  if (identity !== 'user-pool') {
    throw new Problem(
      `The stage ${request.stage} accepts only tokens issued by ${identity.issuer}: get a token from that issuer.`,
    );
  }
  if (keepsData && !request.yesProd) {
    throw new Problem(
      `The stage ${request.stage} retains its data and has real users. To create a test user there, add --yes-prod.`,
    );
  }
}
