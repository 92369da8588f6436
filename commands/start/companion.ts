import type { Cloud } from '../../local-cloud/cloud.ts';
import type { Paint } from '../../local-cloud/terminal/paint.ts';

/** Starts a task for a running local cloud. Returns a function that stops the task. */
export type Companion = (cloud: Cloud, print: (text: string) => void, paint: Paint) => () => void;

export const combineCompanions =
  (...all: readonly Companion[]): Companion =>
  (...companionArguments) => {
    const stopFunctions = all.map((one) => one(...companionArguments));
    return () => {
      for (const stop of stopFunctions) stop();
    };
  };
