import * as v from 'valibot';

export const Deleted = v.strictObject({ id: v.string(), deleted: v.literal(true) });
export const toDeletedReply = (id: string): v.InferOutput<typeof Deleted> => ({
  id,
  deleted: true,
});
