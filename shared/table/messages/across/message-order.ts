import type { MessagePosition } from '../../../ids.ts';
import type { Direction, MessageItem } from '../log/message-item.ts';

export type Order = (a: MessagePosition, b: MessagePosition) => number;

/** Compares by time, then conversation, then sequence number. In a log, times never decrease. */
export const newestFirst: Order = (a, b) =>
  b.sentAt - a.sentAt ||
  Number(b.conversationId > a.conversationId) - Number(b.conversationId < a.conversationId) ||
  b.sequence - a.sequence;

export const getOrder = (direction: Direction): Order =>
  direction === 'older' ? newestFirst : (a, b) => newestFirst(b, a);

export const toPosition = ({ conversation_id, sequence, created_at }: MessageItem) =>
  ({ conversationId: conversation_id, sequence, sentAt: created_at }) satisfies MessagePosition;
