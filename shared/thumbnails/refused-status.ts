/** Exit status of the resizing program if it refuses an image. */
export const refusedStatus = 3;
