import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Message } from '../../../../client/src/index.ts';
import type { Chat } from '../../state/chat.ts';

/** Distance from the end, in CSS pixels, within which the list follows new messages. */
const nearEnd = 80;
/** Milliseconds for which the end of the list must be visible before its messages count as read. */
const readDelay = 1000;
/** Milliseconds before retrying a failed request to mark messages as read. */
const retryDelay = 10_000;

/**
 * Follows new messages while the user is near the end. Otherwise, counts other users' new ones.
 * Marks messages as read after the end has been visible for `readDelay`. The list's layout is
 * reversed: `scrollTop` is 0 at the end, and negative above it.
 */
export function useListEnd(chat: Chat, isMine: (message: Message) => boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const isNearEnd = useSignal(true);
  const isEndVisible = useSignal(false);
  const lastSeen = useSignal<string | undefined>(undefined);
  const { messages, status } = chat.snapshot.value;
  const newest = messages[0];

  const scrollToEnd = () => scroller.current?.scrollTo({ top: 0 });
  const followEnd = () => {
    if (isNearEnd.peek()) scrollToEnd();
  };

  useLayoutEffect(followEnd);
  useEffect(() => {
    const observer = new ResizeObserver(followEnd);
    for (const { current } of [scroller, content]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // A busy browser reports several changes at once, the latest last.
    const observer = new IntersectionObserver((changes) => {
      isEndVisible.value = changes.at(-1)?.isIntersecting === true;
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (isNearEnd.value) lastSeen.value = newest?.id;
  }, [newest?.id, isNearEnd.value]);

  const isReceived = newest !== undefined && !isMine(newest);
  const marksRead = status === 'ready' && isReceived && isEndVisible.value;
  useEffect(() => (marksRead ? startMarkingRead(chat) : undefined), [marksRead, newest?.id]);

  const seen = lastSeen.value;
  return {
    scroller,
    content,
    end,
    isNearEnd: isNearEnd.value,
    /** Number of other users' messages since the user scrolled away from the end. */
    newCount: messages.filter((one) => seen !== undefined && one.id > seen && !isMine(one)).length,
    scrollToEnd,
    onScroll: () => {
      isNearEnd.value = (scroller.current?.scrollTop ?? 0) > -nearEnd;
    },
  };
}

/** Marks the messages as read after `readDelay`, and whenever the page becomes visible. */
function startMarkingRead({ store }: Chat): () => void {
  let isCurrent = true;
  let timer: ReturnType<typeof setTimeout>;
  const markIfVisible = () => {
    if (document.visibilityState !== 'visible') return;
    store.markRead().catch(() => {
      clearTimeout(timer);
      if (isCurrent) timer = setTimeout(markIfVisible, retryDelay);
    });
  };
  timer = setTimeout(markIfVisible, readDelay);
  document.addEventListener('visibilitychange', markIfVisible);
  return () => {
    isCurrent = false;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', markIfVisible);
  };
}
