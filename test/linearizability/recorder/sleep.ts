export const sleep = (milliseconds: number) =>
  new Promise<void>((done) => setTimeout(done, milliseconds));
