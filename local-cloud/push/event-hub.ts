import { randomUUID } from 'node:crypto';
import { matchesChannel } from './channel-path.ts';

export interface Delivery {
  channel: string;
  /** The event as JSON. */
  event: string;
}

/**
 * A fault that drops the event, reports a failure to the listener, or delays the event until a
 * promise resolves.
 */
export type DeliveryFault = 'lose' | 'fail' | Promise<unknown>;

/** Intercepts each delivery and may return a fault. */
export type OnDelivery = (delivery: Delivery) => DeliveryFault | undefined;

export interface Subscriber {
  pattern: readonly string[];
  onEvent(event: string): void;
  onFailure(message: string): void;
}

export interface Hub {
  subscribers: Set<Subscriber>;
  publish(channel: string, segments: readonly string[], events: readonly string[]): Published;
}

export interface Published {
  successful: { identifier: string; index: number }[];
  failed: never[];
}

export function createHub(onDelivery: OnDelivery): Hub {
  const subscribers = new Set<Subscriber>();

  const deliver = async (subscriber: Subscriber, delivery: Delivery) => {
    const fault = onDelivery(delivery);
    if (fault === 'lose') return;
    if (fault instanceof Promise) await fault;
    if (!subscribers.has(subscriber)) return;
    if (fault === 'fail') subscriber.onFailure('The event could not be delivered.');
    else subscriber.onEvent(delivery.event);
  };

  return {
    subscribers,
    publish: (channel, segments, events) => {
      for (const event of events) {
        for (const subscriber of subscribers) {
          if (matchesChannel(subscriber.pattern, segments)) deliver(subscriber, { channel, event });
        }
      }
      return {
        successful: events.map((_, index) => ({ identifier: randomUUID(), index })),
        failed: [],
      };
    },
  };
}
