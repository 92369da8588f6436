/**
 * Metadata key of the path of a function's source file, below functions/, without `.ts`. The local
 * cloud reads it; deployed templates omit it.
 */
export const handlerMetadataKey = 'messaging:handler';
