import * as v from 'valibot';

export const Deleted = v.strictObject({ id: v.string(), deleted: v.literal(true) });
export type Deleted = v.InferOutput<typeof Deleted>;
export const toDeletedReply = (id: string): Deleted => ({ id, deleted: true });
