/** Returns the decoded ids in a path below /v1/groups. */
export function parseGroupPath(target: string): { groupId: string; contactId: string } {
  const [, , , groupId = '', , contactId = ''] = (target.split('?')[0] ?? '').split('/');
  return { groupId: decodeURIComponent(groupId), contactId: decodeURIComponent(contactId) };
}
