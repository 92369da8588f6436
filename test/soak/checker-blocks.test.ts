import { describe, expect, test } from '@jest/globals';
import {
  createBlock,
  createConversation,
  deleteBlock,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { ann, bob, createCheckerFixture, errorFor, success } from './checker/checker-fixture.ts';

function createFixture() {
  const fixture = createCheckerFixture();
  const { begin, record, toSend, view } = fixture;
  const path = { contact_id: 'bob' };
  const block = () => {
    const reply = begin(ann, createBlock, { path });
    return () => reply(success(createBlock, { contact_id: 'bob', created_at: 1 }));
  };
  return {
    ...fixture,
    block,
    unblock: () =>
      record(ann, deleteBlock, { path }, success(deleteBlock, { id: 'bob', deleted: true })),
    sends: (text: string) =>
      record(bob, sendMessage, toSend(text), success(sendMessage, view(text, bob))),
    isRefused: (text: string) => record(bob, sendMessage, toSend(text), errorFor('blocked')),
  };
}

describe('the soak checker accepts', () => {
  test('a successful and then a failed send during a block request, a failed send after it, and a successful send after the unblock', () => {
    const { block, unblock, sends, isRefused, violations } = createFixture();
    const end = block();
    sends('before');
    isRefused('during');
    end();
    isRefused('after');
    unblock();
    sends('again');
    expect(violations).toEqual([]);
  });
});

describe('the soak checker reports', () => {
  test('a successful send after a block', () => {
    const { block, sends, violations } = createFixture();
    block()();
    sends('after');
    expect(violations).toEqual(['403, as one contact blocks the other']);
  });

  test('a refused send before any block or after the unblock', () => {
    const { block, unblock, isRefused, violations } = createFixture();
    isRefused('never');
    block()();
    unblock();
    isRefused('again');
    const expected = 'a status other than 403, as neither contact blocks the other';
    expect(violations).toEqual([expected, expected]);
  });

  test('a successful request for the distinct conversation after a block', () => {
    const { block, record, conversation, violations } = createFixture();
    block()();
    const body = { contact_id: 'ann', distinct: true };
    const found = {
      ...success(createConversation, { ...conversation, contact_id: 'ann' }),
      status: 200,
    };
    record(bob, createConversation, { body }, found);
    expect(violations).toEqual(['403, as one contact blocks the other']);
  });
});
