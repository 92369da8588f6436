export const conversationFields = [
  'contact',
  'last_message',
  'unread_count',
  'mentioned',
  'business',
  'assigned_to',
] as const;
