export function parseGroupPath(target: string): { groupId: string; contactId: string } {
  const [, , , groupId = '', , contactId = ''] = (target.split('?')[0] ?? '').split('/');
  return { groupId: decodeURIComponent(groupId), contactId: decodeURIComponent(contactId) };
}
