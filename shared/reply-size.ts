/** What a cursor says: an id, and when it comes from a `Link` header perhaps also the item's place in the list. */
export interface Cursor {
  id: string;
  position: string | undefined;
}

/** Reads `<id>` or `<id>~<position>`; whether they are good is for the list to say. */
export function parseCursor(value: string): Cursor {
  const [id = '', position] = value.split('~', 2);
  return { id, position };
}

/** The cursor of an item whose id alone does not tell its place. */
export const cursorAt = (id: string, position: number): string => `${id}~${position}`;
