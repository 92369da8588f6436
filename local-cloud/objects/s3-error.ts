export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  toXml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${escapeXml(this.message)}</Message></Error>`;
  }
}

export const accessDenied = (message = 'Access Denied') =>
  new S3Error(403, 'AccessDenied', message);

export const notImplemented = (feature: string) =>
  new S3Error(501, 'NotImplemented', `The local cloud does not support ${feature}.`);

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
