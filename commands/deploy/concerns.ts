import { getStageWarnings } from '../../lib/stage-warnings.ts';
import type { Stage } from '../../lib/stages.ts';
import type { Place } from '../stage/place.ts';

/** What of a stage that keeps its data is not filled in yet, a sentence each: to be meant, or put right before. */
export const concernsOf = (stageName: string, stage: Stage & Place): string[] =>
  stage.keepsData
    ? [
        ...(stage.account === undefined
          ? [`${stageName} names no account: with other credentials this would make a second one.`]
          : []),
        ...getStageWarnings(stage),
      ]
    : [];
