import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { matches } from './channel.ts';

/** An event on its way to one subscription. */
export interface Delivery {
  channel: string;
  /** JSON. */
  event: string;
}

/** What may go wrong with it: it is lost, cannot be delivered, which the listener is told, or comes so many milliseconds late. */
export type DeliveryFault = 'lose' | 'fail' | number;

/** Sees each delivery, and may name a fault to be had. */
export type OnDelivery = (delivery: Delivery) => DeliveryFault | undefined;

export interface Subscriber {
  pattern: readonly string[];
  hear(event: string): void;
  onFailure(message: string): void;
}

/** Who listens to what at this moment. */
export interface Hub {
  subscribers: Set<Subscriber>;
  publish(channel: string, segments: readonly string[], events: readonly string[]): Published;
}

/** What was taken and what was not, as AppSync tells whoever has published. */
export interface Published {
  successful: { identifier: string; index: number }[];
  failed: never[];
}

export function hub(onDelivery: OnDelivery): Hub {
  const subscribers = new Set<Subscriber>();

  const deliver = async (subscriber: Subscriber, delivery: Delivery) => {
    const fault = onDelivery(delivery);
    if (fault === 'lose') return;
    if (typeof fault === 'number') await sleep(fault, undefined, { ref: false });
    if (!subscribers.has(subscriber)) return;
    if (fault === 'fail') subscriber.onFailure('The event could not be delivered.');
    else subscriber.hear(delivery.event);
  };

  return {
    subscribers,
    publish: (channel, segments, events) => {
      for (const event of events) {
        for (const subscriber of subscribers) {
          if (matches(subscriber.pattern, segments)) deliver(subscriber, { channel, event });
        }
      }
      return {
        successful: events.map((_, index) => ({ identifier: randomUUID(), index })),
        failed: [],
      };
    },
  };
}
