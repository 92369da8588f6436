import { getStageWarnings } from '../../lib/stage-warnings.ts';
import type { Stage } from '../../lib/stages.ts';
import type { StageLocation } from '../stage/stage-location.ts';

/** Returns warnings about missing or risky settings of a stage that retains its data. */
export const getDeployWarnings = (stageName: string, stage: Stage & StageLocation): string[] =>
  stage.keepsData
    ? [
        ...(stage.account === undefined
          ? [
              `${stageName} has no account in lib/stages.ts: with the credentials of another account, this command would create a second stage.`,
            ]
          : []),
        ...getStageWarnings(stage),
      ]
    : [];
