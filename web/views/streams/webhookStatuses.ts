export const webhookStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const
