/**
 * `partition`: the right to write the contracts of a partition; what asks nodes for it goes by chain as well (`served.ts`). `chain`: the right to follow a chain's head. `aptos`: the
 * right to read a network of coins. `delivery`: the right to send the webhooks of the streams of a partition.
 */
export type LeaseKind = 'partition' | 'chain' | 'aptos' | 'delivery'
