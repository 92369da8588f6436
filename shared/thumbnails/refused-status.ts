/** Exit status of the resizing program for an image that it refuses. */
export const refusedStatus = 3;
