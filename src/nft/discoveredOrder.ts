/** The orders of contracts that blocks showed: by the time of the block that first did, or by the transfers of the last day. Both descend. */
export type DiscoveredOrder = (typeof discoveredOrders)[number]

export const discoveredOrders = ['first_seen', 'activity'] as const
