import { getStageWarnings } from '../../lib/stage-warnings.ts';
import type { Stage } from '../../lib/stages.ts';
import type { StageLocation } from '../stage/stage-location.ts';

/** Returns warnings about missing settings of a stage that retains its data, one sentence each. */
export const getDeployWarnings = (stageName: string, stage: Stage & StageLocation): string[] =>
  stage.keepsData
    ? [
        ...(stage.account === undefined
          ? [
              `${stageName} has no account in lib/stages.ts: with other credentials, this would create a second stage.`,
            ]
          : []),
        ...getStageWarnings(stage),
      ]
    : [];
