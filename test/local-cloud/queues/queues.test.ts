import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { Template } from '../../../lib/synthesis/template.ts';
import { createQueues, type Queues } from '../../../local-cloud/queues/queues.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';

let queues: Queues;
let queue: string;
let now = 0;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const resources = {
    Main: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 10 } },
  };
  const stack = readStack('queues', v.parse(Template, { Resources: resources, Outputs: {} }));
  queues = createQueues(stack);
  queue = queues.toArn(stack.resources('AWS::SQS::Queue', v.unknown())[0]?.ref ?? '');
});

const receive = (count = 10) => queues.receive(queue, count).map(({ body }) => body);

describe('A queue', () => {
  test('hides a received message until its visibility timeout ends', () => {
    queues.send(queue, 'one');
    expect([receive(), receive()]).toEqual([['one'], []]);
    now += 10_000;
    const [again] = queues.receive(queue, 1);
    expect([again?.body, again?.receiveCount]).toEqual(['one', 2]);
  });

  test('never returns a deleted message', () => {
    queues.send(queue, 'one');
    const [received] = queues.receive(queue, 1);
    queues.remove(queue, received?.receipt ?? '');
    now += 10_000;
    expect([receive(), [...queues.messages.values()]]).toEqual([[], [[]]]);
  });

  test('returns a received message again immediately if its consumer sets the visibility timeout to 0', () => {
    queues.send(queue, 'one');
    const [received] = queues.receive(queue, 1, 3600);
    now += 10_000;
    expect(receive()).toEqual([]);
    queues.hide(queue, received?.receipt ?? '', 0);
    expect(receive()).toEqual(['one']);
  });

  test('returns a delayed message when its delay ends', () => {
    queues.send(queue, 'late', { delaySeconds: 5 });
    expect(receive()).toEqual([]);
    now += 5000;
    expect(receive()).toEqual(['late']);
  });

  test('prefers message groups with fewer messages in flight', () => {
    for (const text of ['a1', 'a2', 'a3']) queues.send(queue, text, { group: 'a' });
    expect(receive(2)).toEqual(['a1', 'a2']);
    queues.send(queue, 'b1', { group: 'b' });
    expect(receive(1)).toEqual(['b1']);
    expect(receive(1)).toEqual(['a3']);
  });
});
