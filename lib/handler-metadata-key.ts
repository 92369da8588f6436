/**
 * Metadata key for the path of a function's source file. The local cloud reads the path; deployed
 * templates omit it.
 */
export const handlerMetadataKey = 'messaging:handler';
