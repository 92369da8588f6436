const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns ASCII text as base64url without padding. Not every platform has `btoa`. */
export function toBase64Url(text: string): string {
  let encoded = '';
  for (let n = 0; n < text.length; n += 3) {
    const bytes = [0, 1, 2].map((m) => text.charCodeAt(n + m));
    const [a = 0, b = 0, c = 0] = bytes.map((byte) => byte || 0);
    const all = (a << 16) | (b << 8) | c;
    const count = bytes.filter((byte) => !Number.isNaN(byte)).length + 1;
    for (let m = 0; m < count; m += 1) encoded += letters.charAt((all >> (18 - 6 * m)) & 63);
  }
  return encoded;
}

/** Returns the bytes of base64url text, one character each. */
export function fromBase64Url(encoded: string): string {
  let [text, bits, count] = ['', 0, 0];
  for (const letter of encoded.replace(/=+$/, '')) {
    bits = ((bits << 6) | letters.indexOf(letter)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += String.fromCharCode((bits >> count) & 255);
  }
  return text;
}
