import type { Cloud } from '../local/cloud.ts';
import type { Paint } from '../local/terminal/paint.ts';

/** What goes on beside a local cloud while it runs; gives what ends it. */
export type Beside = (cloud: Cloud, say: (text: string) => void, paint: Paint) => () => void;
