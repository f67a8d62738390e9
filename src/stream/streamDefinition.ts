import { z } from 'zod'
import { allowing } from '../util/allowed.ts'

const eventText = allowing(
  'the signature of an event, such as Transfer(address,address,uint256), or its hash',
  z
    .string()
    .min(1)
    .max(1_024)
    .describe('Signature of an event, such as Transfer(address,address,uint256), or its hash.'),
)

const filter: z.ZodType<StreamFilter> = z.lazy(() => z.record(z.string(), z.unknown()))

/** A tree of `or` and `and` over eq, ne, lt, gt, lte, gte, in and nin. `compileFilter` validates it with the ABI. */
export type StreamFilter = { [operator: string]: unknown }

const abiItem = z.looseObject({
  type: z.string().optional().describe('event, function and so on.'),
  name: z.string().optional().describe('Its name.'),
})

/** Fields of a definition without defaults, for requests. */
export const definitionShape = {
  topic0: z.array(eventText).max(1_000).describe('The events to match; empty: every event.'),
  allAddresses: z.boolean().describe('Watch every contract and account, not only the addresses of the stream.'),
  includeNativeTxs: z.boolean().describe('Transactions from or to an address of the stream.'),
  includeContractLogs: z
    .boolean()
    .describe('Logs that an address of the stream emitted, or that contain it in an indexed argument.'),
  includeInternalTxs: z
    .boolean()
    .describe('Internal transactions, which move value inside of a transaction, from or to an address of the stream.'),
  includeAllTxLogs: z.boolean().describe('All logs of every transaction in which something matched.'),
  abi: z.array(abiItem).max(2_000).describe('ABI items, by which filters decode events; part of every webhook.'),
  advancedOptions: z
    .array(
      z.object({
        topic0: eventText.describe('Which event: its signature or its hash.'),
        filter: filter.nullish().describe('Which logs of the event: a tree over its arguments.'),
        includeNativeTxs: z.boolean().nullish().describe('The transactions of the logs that match, too.'),
      }),
    )
    .max(1_000)
    .describe('Options of single events: a filter, and whether their transactions are sent.'),
  getNativeBalances: z
    .array(
      z.object({
        selectors: z.array(z.string().max(256)).max(100).describe('Such as $from, $to or $contract, or an address.'),
        type: z.string().max(64).describe('tx, log, erc20transfer, erc20approval, nfttransfer or internalTx.'),
      }),
    )
    .max(100)
    .describe('Accounts whose balances each webhook has: fields of its records, or addresses.'),
  filterPossibleSpam: z.boolean().describe('Omits logs of contracts that count as spam.'),
  demo: z.boolean().describe('Kept for published clients; it has no effect.'),
  confirmedOnly: z
    .boolean()
    .describe(
      'Send only the webhook of a confirmed block. Otherwise a block at the head has an unconfirmed one before it.',
    ),
}

/** The stored definition of a stream: what it matches, and the contents of its webhooks. */
export const definitionSchema = z.object({
  topic0: definitionShape.topic0.default([]),
  allAddresses: definitionShape.allAddresses.default(false),
  includeNativeTxs: definitionShape.includeNativeTxs.default(false),
  includeContractLogs: definitionShape.includeContractLogs.default(false),
  includeInternalTxs: definitionShape.includeInternalTxs.default(false),
  includeAllTxLogs: definitionShape.includeAllTxLogs.default(false),
  abi: definitionShape.abi.default([]),
  advancedOptions: definitionShape.advancedOptions.default([]),
  getNativeBalances: definitionShape.getNativeBalances.default([]),
  filterPossibleSpam: definitionShape.filterPossibleSpam.default(false),
  demo: definitionShape.demo.default(false),
  confirmedOnly: definitionShape.confirmedOnly.default(false),
})

export type StreamDefinition = z.output<typeof definitionSchema>
