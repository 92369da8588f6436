import type { Story } from '../support/story.ts';
import { deadSends } from './dead-send.ts';
import { deletedInFront } from './deleted-in-front.ts';

/** All that are told, in this order. The next one: a file beside, and a line here. */
export const stories: Story[] = [...deletedInFront, ...deadSends];
