import type { Cloud } from '../../local-cloud/cloud.ts';
import type { Paint } from '../../local-cloud/terminal/paint.ts';

/** What goes on beside a local cloud while it runs; gives what ends it. */
export type Companion = (cloud: Cloud, say: (text: string) => void, paint: Paint) => () => void;

export const allOf =
  (...all: readonly Companion[]): Companion =>
  (...given) => {
    const ends = all.map((one) => one(...given));
    return () => {
      for (const end of ends) end();
    };
  };
