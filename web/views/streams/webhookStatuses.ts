/** Where a webhook can stand. */
export const webhookStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const
