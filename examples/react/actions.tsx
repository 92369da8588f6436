import type { Attachment, Client, Message } from 'messaging-service-client';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';

export const Action = ({ onClick, children }: { onClick: () => unknown; children: string }) => (
  <button type="button" onClick={onClick}>
    {children}
  </button>
);

interface ActionFormProps {
  action: (form: FormData) => Promise<unknown>;
  submit: string;
  children: ReactNode;
}

/** Runs an action when the form is submitted, and shows the action's error. */
export function ActionForm({ action, submit, children }: ActionFormProps) {
  const [error, setError] = useState<Error | null>(null);
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setError(null);
    await action(new FormData(form)).then(() => form.reset(), setError);
  };
  return (
    <form onSubmit={run}>
      {children}
      <button type="submit">{submit}</button>
      {error && <em role="alert">{error.message}</em>}
    </form>
  );
}

export function BlockAction({ client, contactId }: { client: Client; contactId: string }) {
  const [isBlocked, setIsBlocked] = useState(false);
  useEffect(() => {
    const load = async () => {
      for await (const { contact_id } of client.blocks.list({ limit: 100 }))
        if (contact_id === contactId) setIsBlocked(true);
    };
    load().catch(() => {});
  }, [client, contactId]);
  const toggle = async () => {
    if (isBlocked) await client.blocks.delete({ contact_id: contactId });
    else await client.blocks.create({ contact_id: contactId });
    setIsBlocked(!isBlocked);
  };
  return (
    <Action onClick={() => toggle().catch(() => {})}>{isBlocked ? 'Unblock' : 'Block'}</Action>
  );
}

export function ReportAction({ client, message }: { client: Client; message: Message }) {
  const [isReported, setIsReported] = useState(false);
  const report = async () => {
    // A real app asks the user for the reason.
    await client.reports.create({ message_id: message.id, reason: 'other' });
    setIsReported(true);
  };
  if (isReported) return <small>Reported</small>;
  return <Action onClick={() => report().catch(() => {})}>Report</Action>;
}

/** Opens an uploaded file at a URL that is valid for five minutes. */
export function FileAction({
  client,
  file: { id, name, url },
}: {
  client: Client;
  file: Attachment;
}) {
  if (typeof id !== 'string') return <a href={url ?? undefined}>{name ?? url}</a>;
  const open = async () => {
    const link = await client.attachments.retrieve({ attachment_id: id });
    window.open(link.url, '_blank', 'noopener');
  };
  return <Action onClick={() => open().catch(() => {})}>{name ?? 'File'}</Action>;
}
