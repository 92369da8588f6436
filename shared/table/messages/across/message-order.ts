import type { MessagePosition } from '../../../ids.ts';
import type { MessageItem } from '../log/message-item.ts';

/** Towards the first message, or towards the last. */
export type Direction = 'older' | 'newer';

export type Order = (a: MessagePosition, b: MessagePosition) => number;

/**
 * The order of the messages of many conversations, newest first: by time, then conversation, then place. In each
 * conversation it is the order of the places, because there times never go back.
 */
export const newestFirst: Order = (a, b) =>
  b.sentAt - a.sentAt ||
  Number(b.conversationId > a.conversationId) - Number(b.conversationId < a.conversationId) ||
  b.sequence - a.sequence;

/** The order in which somebody who travels that way meets the messages. */
export const getOrder = (direction: Direction): Order =>
  direction === 'older' ? newestFirst : (a, b) => newestFirst(b, a);

export const toPosition = ({ conversation_id, sequence, created_at }: MessageItem) =>
  ({ conversationId: conversation_id, sequence, sentAt: created_at }) satisfies MessagePosition;
