import * as v from 'valibot';

/** What is left to say of a thing that is gone. */
export const Deleted = v.strictObject({ id: v.string(), deleted: v.literal(true) });
export const deleted = (id: string): v.InferOutput<typeof Deleted> => ({ id, deleted: true });
