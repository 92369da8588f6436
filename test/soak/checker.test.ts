import { describe, expect, test } from '@jest/globals';

import { toSeconds } from '../../shared/clock.ts';
import {
  deleteMessage,
  listMessages,
  sendMessage,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { ann, bob, createCheckerFixture, errorFor, success } from './checker/checker-fixture.ts';

const now = () => toSeconds(Date.now());

describe('the soak checker accepts', () => {
  test('lists with the sent messages and their read times, without deleted messages', () => {
    const { sent, listing, page, deleted, violations } = createCheckerFixture();
    const [first, second] = [sent(ann), sent(bob)];
    listing(ann)(page([first, { ...second, read_at: now() }]));
    deleted(first);
    listing(ann)(page([{ ...second, read_at: now() }]));
    expect(violations).toEqual([]);
  });

  test('a message shown or omitted during its deletion', () => {
    const { sent, listing, page, deleted, violations } = createCheckerFixture();
    const message = sent(ann);
    const [with_, without] = [listing(ann), listing(ann)];
    deleted(message);
    with_(page([message]));
    without(page([]));
    expect(violations).toEqual([]);
  });

  test('a message listed before its send returns', () => {
    const { begin, toSend, view, listing, page, violations } = createCheckerFixture();
    const message = view('early', ann);
    const completeSend = begin(ann, sendMessage, toSend('early'));
    listing(ann)(page([message]));
    completeSend(success(sendMessage, message));
    expect(violations).toEqual([]);
  });

  test('a send that returns 503, whether or not it stores the message', () => {
    const { record, toSend, view, listing, page, violations } = createCheckerFixture();
    record(ann, sendMessage, toSend('lost'), errorFor('unavailable'));
    record(ann, sendMessage, toSend('done'), errorFor('unavailable'));
    listing(ann)(page([view('done', ann)]));
    expect(violations).toEqual([]);
  });
});

describe('the soak checker reports', () => {
  test('a message missing between two listed messages', () => {
    const { sent, listing, page, violations } = createCheckerFixture();
    const [first, second, third] = [sent(ann), sent(ann), sent(ann)];
    listing(ann)(page([first, third]));
    expect(violations).toEqual([`message ${second.id} ('${second.message}') as well`]);
  });

  test('a page without the newest message', () => {
    const { sent, listing, page, violations } = createCheckerFixture();
    const [first, second] = [sent(ann), sent(ann)];
    listing(ann)(page([first]));
    expect(violations).toEqual([expect.stringContaining(second.id)]);
  });

  test('a message that appears below an already listed message, so that a polling client misses it', () => {
    const { begin, toSend, view, sent, listing, page, violations } = createCheckerFixture();
    const slow = view('slow', ann);
    const completeSend = begin(ann, sendMessage, toSend('slow'));
    const above = sent(ann);
    listing(ann)(page([above]));
    completeSend(success(sendMessage, slow));
    expect(violations).toEqual([expect.stringContaining('a polling client would miss it')]);
  });

  test('one sent message listed under two ids', () => {
    const { sent, view, listing, page, violations } = createCheckerFixture();
    const message = sent(ann, 'hello');
    listing(ann)(page([message, view('hello', ann)]));
    expect(violations).toEqual([
      expect.stringContaining(`'hello' already has the id ${message.id}`),
    ]);
  });

  test('a message listed twice on a page', () => {
    const { sent, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    listing(ann)(page([message, message]));
    expect(violations).toEqual([expect.stringContaining('each message once')]);
  });

  test('messages listed oldest first', () => {
    const { sent, listing, violations } = createCheckerFixture();
    const data = [sent(ann), sent(ann)];
    listing(ann)(success(listMessages, { has_more: false, data }));
    expect(violations).toContain('each message once, newest first');
  });

  test('a message with a lower sequence number than an earlier one', () => {
    const { sent, violations } = createCheckerFixture();
    sent(ann, 'first', 7);
    sent(ann, 'second', 6);
    expect(violations).toEqual([expect.stringContaining('an id above')]);
  });

  test('a message returned after its deletion', () => {
    const { sent, deleted, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    deleted(message);
    listing(ann)(page([message]));
    expect(violations).toEqual(['no message, because it was deleted before']);
  });

  test('a message that reappears after a page omitted it during its deletion', () => {
    const { begin, sent, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    begin(ann, deleteMessage, { path: { message_id: message.id } });
    listing(ann)(page([]));
    expect(violations).toEqual([]);
    listing(ann)(page([message]));
    expect(violations).toEqual(['no message, because it was deleted before']);
  });

  test('a read_at that changes', () => {
    const { sent, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    listing(bob)(page([{ ...message, read_at: now() }]));
    listing(bob)(page([{ ...message, read_at: now() + 1 }]));
    expect(violations).toEqual([expect.stringMatching(/^read_at \d+$/)]);
  });

  test('a read_at set before any read, removed later, or missing for the reader', () => {
    const { sent, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    listing(ann)(page([{ ...message, read_at: now() }]));
    listing(ann)(page([message]));
    listing(bob)(page([message]));
    expect(violations).toHaveLength(3);
  });

  test('a page without a reaction that was set', () => {
    const { sent, record, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    const shown = { ...message, reactions: [{ ok: ['ann'] }] };
    const change = { path: { message_id: message.id }, body: { reactions: { ok: ['ann'] } } };
    record(ann, updateMessage, change, success(updateMessage, shown));
    listing(ann)(page([shown]));
    expect(violations).toEqual([]);
    listing(ann)(page([message]));
    expect(violations).toEqual([expect.stringContaining("'ok' of ann")]);
  });

  test('the old text of an edited message', () => {
    const { sent, record, listing, page, violations } = createCheckerFixture();
    const message = sent(ann);
    const shown = { ...message, message: 'better', updated_at: now() };
    const change = { path: { message_id: message.id }, body: { message: 'better' } };
    record(ann, updateMessage, change, success(updateMessage, shown));
    listing(ann)(page([message]));
    expect(violations).toEqual(['one of the texts ["better"]']);
  });

  test('two messages created with one Idempotency-Key', () => {
    const { record, toSend, view, violations } = createCheckerFixture();
    for (let times = 0; times < 2; times++) {
      record(ann, sendMessage, toSend('once', 'key'), success(sendMessage, view('once', ann)));
    }
    expect(violations).toEqual(
      expect.arrayContaining([expect.stringContaining('the message once')]),
    );
  });

  test('has_more: true on the last page', () => {
    const { sent, listing, violations } = createCheckerFixture();
    const data = [sent(ann)];
    const Link = '<http://here/v1/messages?limit=1&starting_after=x>; rel="next"';
    listing(ann, { limit: '1' })(success(listMessages, { has_more: true, data }, { Link }));
    expect(violations).toEqual(['has_more false, as nothing follows']);
  });
});
