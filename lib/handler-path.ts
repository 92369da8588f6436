/**
 * The metadata by which a function that is to run here says what it is made of: its handler's file below functions/, without
 * `.ts`. What is deployed has none of it.
 */
export const handlerPath = 'messaging:handler';
