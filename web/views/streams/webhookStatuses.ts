/** The statuses of a webhook. */
export const webhookStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const
