import type { ObjectStore } from './object-store.ts';
import { escapeXml, notImplemented } from './s3-error.ts';

const maxKeys = 1000;

/** Returns the reply to ListObjectsV2 in XML: a page of the keys that have the prefix. */
export async function toListing(
  store: ObjectStore,
  bucketName: string,
  query: URLSearchParams,
): Promise<string> {
  if (query.get('list-type') !== '2') throw notImplemented('other operations on buckets');
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const limit = Math.min(Number(query.get('max-keys') ?? maxKeys), maxKeys);
  const keys = (await store.list(prefix)).filter((key) => key > after);
  const page = keys.slice(0, limit);
  const metadata = await Promise.all(page.map(store.find));
  const contents = page.map((key, n) => {
    const { size = 0, modifiedAt = 0 } = metadata[n] ?? {};
    const time = new Date(modifiedAt).toISOString();
    return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${time}</LastModified><Size>${size}</Size></Contents>`;
  });
  const isTruncated = keys.length > page.length;
  const next = isTruncated
    ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>`
    : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<Name>${bucketName}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>`,
    `<MaxKeys>${limit}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`,
    '</ListBucketResult>',
  ].join('');
}
