import type { Stage } from '../stages.ts';
import type { Place } from './place.ts';

/** What the stages come with, for their owner to replace. */
const placeholder = /^https:\/\/([a-z0-9-]+\.)*example\.(com|org|net)$/;

/** What of a stage that keeps its data is not filled in yet, a sentence each: to be meant, or put right before. */
export function concernsOf(
  stageName: string,
  { keepsData, alarmEmail, allowedOrigins, account }: Stage & Place,
): string[] {
  if (!keepsData) return [];
  const strange = allowedOrigins.filter((origin) => placeholder.test(origin));
  return [
    ...(account === undefined
      ? [`${stageName} names no account: with other credentials this would make a second one.`]
      : []),
    ...(alarmEmail === undefined
      ? [`${stageName} has no alarmEmail: nobody gets a letter when an alarm is raised.`]
      : []),
    ...strange.map(
      (origin) =>
        `${stageName} lets in pages of ${origin}, which is nobody’s, and maybe not yours.`,
    ),
  ];
}
