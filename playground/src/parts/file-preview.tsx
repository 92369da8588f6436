import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Reports whether browsers display the type as an image without running scripts in it. */
export const isDisplayedImage = (type: unknown): boolean =>
  typeof type === 'string' && /^image\/(avif|gif|jpeg|png|webp)$/.test(type);

export function FilePreview({ file, type }: { file: Blob | null; type: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file || !isDisplayedImage(type)) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file, type]);
  if (url === null) return <Icon name={type.startsWith('image/') ? 'image' : 'file'} />;
  return <img class="file-preview" src={url} alt="" />;
}
