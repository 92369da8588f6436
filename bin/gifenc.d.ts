/** Types for the parts of gifenc that this project uses; the package has no types. */
declare module 'gifenc' {
  interface Encoder {
    writeFrame(
      pixels: Uint8Array,
      width: number,
      height: number,
      options: { palette: number[][]; delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colors: number): number[][];
    applyPalette(rgba: Uint8Array, palette: number[][]): Uint8Array;
  };
  export default gifenc;
}
