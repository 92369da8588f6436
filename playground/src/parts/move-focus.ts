const keys: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Handles Up, Down, Home and End: moves the focus among the elements that match the selector.
 * Returns false for other keys, or if none of the elements contains the focus.
 */
export function moveFocus(event: KeyboardEvent, selector: string): boolean {
  const list = event.currentTarget;
  const move = keys[event.key];
  if (!(list instanceof HTMLElement) || !move) return false;
  const items = [...list.querySelectorAll<HTMLElement>(selector)];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  if (at < 0) return false;
  event.preventDefault();
  items[move(at, items.length - 1)]?.focus();
  return true;
}
