import { Problem } from '../../lib/problem.ts';
import type { Stage } from '../../lib/stages.ts';
import type { StageRequest } from './token-request.ts';

/** Refuses a stage whose tokens are made elsewhere, and one that keeps its data unless that is meant. */
export function refuseOtherStages(
  request: Pick<StageRequest, 'stage' | 'yesProd'>,
  { identity, keepsData }: Pick<Stage, 'identity' | 'keepsData'>,
): void {
  if (identity !== 'user-pool') {
    throw new Problem(
      `The stage ${request.stage} takes the tokens of ${identity.issuer}: get one there.`,
    );
  }
  if (keepsData && !request.yesProd) {
    throw new Problem(
      `The stage ${request.stage} keeps its data, and a test user among its people: say --yes-prod if that is meant.`,
    );
  }
}
