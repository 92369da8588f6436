/** Exit status of the program that resizes, for an image that it refuses. */
export const refusedStatus = 3;
