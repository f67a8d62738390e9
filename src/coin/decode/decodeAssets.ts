import type { AptosTransaction } from '../../chain/aptos/source.ts'
import { maxU128, parseU128 } from '../../chain/aptos/u128.ts'
import { type AssetDetails, type Coin, coinTypeHash } from './coin.ts'
import type { CoinState } from './coinState.ts'
import { cutToBytes, fieldsOf, firstOf, isDecimals, maxNameBytes, padded } from './moveValues.ts'
import { pairedTypeOf } from './pairedType.ts'

/** Resources of a fungible asset's object. A change of one in its group writes the whole group. */
export const assetResources = {
  metadata: '0x1::fungible_asset::Metadata',
  supply: '0x1::fungible_asset::Supply',
  concurrentSupply: '0x1::fungible_asset::ConcurrentSupply',
  pairedType: '0x1::coin::PairedCoinType',
  object: '0x1::object::ObjectCore',
  group: '0x1::object::ObjectGroup',
}

/** The chain accepts URIs of at most 512 bytes (MAX_URI_LENGTH of fungible_asset.move). */
export const maxUriBytes = 512

/** Fungible assets in transactions. `skipped`: types of unreadable resources, with the reason. */
export type DecodedAssets = { coins: Coin[]; states: CoinState[]; skipped: string[] }

/** Resources of one object by type. */
type Resources = Map<string, Record<string, unknown>>

/** Fungible assets in a transaction. */
export function decodeAssets(transaction: AptosTransaction): DecodedAssets {
  const decoded: DecodedAssets = { coins: [], states: [], skipped: [] }
  const objects = new Map<string, Resources>()
  for (const { address, type, data } of transaction.writes) {
    if (!isAssetResource(type)) continue
    const object = padded(address)
    if (object === undefined) {
      decoded.skipped.push(`${type}: no address`)
      continue
    }
    const resources: Resources = objects.get(object) ?? new Map()
    objects.set(object, resources.set(type, fieldsOf(data)))
  }
  const deleted = new Set(transaction.deleted.flatMap((address) => padded(address) ?? []))
  for (const address of deleted) if (!objects.has(address)) objects.set(address, new Map())
  for (const [address, resources] of objects)
    decodeObject(transaction, { address, resources, isDeleted: deleted.has(address) }, decoded)
  return decoded
}

const assetTypes = new Set(Object.values(assetResources))

function isAssetResource(type: string): boolean {
  return assetTypes.has(type)
}

function decodeObject(
  transaction: AptosTransaction,
  { address, resources, isDeleted }: { address: string; resources: Resources; isDeleted: boolean },
  { coins, states, skipped }: DecodedAssets,
): void {
  const { version } = transaction
  const subject = coinTypeHash(`0x${address}`)
  const metadata = resources.get(assetResources.metadata)
  const object = resources.get(assetResources.object)
  const supply = supplyOf(resources)
  if (supply.fault !== undefined) skipped.push(supply.fault)
  if (!metadata) {
    if (isDeleted) states.push(ended(subject, version))
    else if (resources.has(assetResources.supply) || resources.has(assetResources.concurrentSupply))
      states.push({ subject, version, decimals: null, ...supply.read, deleted: false })
    return
  }
  const { name, symbol, decimals, icon_uri: icon, project_uri: project } = metadata
  if (!isDecimals(decimals) || typeof name !== 'string' || typeof symbol !== 'string') {
    skipped.push(assetResources.metadata)
    if (isDeleted) states.push(ended(subject, version))
    return
  }
  // `object::delete` removes the ObjectCore and leaves the other resources, which are unreachable then.
  const deleted = isDeleted || !object
  states.push(
    deleted ? { ...ended(subject, version), decimals } : { subject, version, decimals, ...supply.read, deleted },
  )
  if (transaction.kind === 'other' || !transaction.success) return
  const creator = padded(object?.owner)
  if (creator === undefined) {
    skipped.push(`${assetResources.object}: no owner`)
    return
  }
  const paired = pairedOf(resources.get(assetResources.pairedType))
  if (paired === undefined) skipped.push(assetResources.pairedType)
  coins.push({
    type: `0x${address}`,
    hash: subject,
    creator,
    decimals,
    name: cutToBytes(name, maxNameBytes),
    symbol: cutToBytes(symbol, maxNameBytes),
    supply: null,
    asset: { iconUri: uriOf(icon), projectUri: uriOf(project), pairedType: paired ?? null },
    version,
    createdMicros: transaction.timestampMicros,
  })
}

function ended(subject: string, version: bigint): CoinState {
  return { subject, version, decimals: null, supply: null, maximum: null, deleted: true }
}

/** Null: the asset has no paired coin; undefined: its paired type is invalid. */
function pairedOf(resource: Record<string, unknown> | undefined): AssetDetails['pairedType'] | undefined {
  return resource === undefined ? null : pairedTypeOf(resource.type)
}

function uriOf(uri: unknown): string | null {
  return typeof uri === 'string' ? cutToBytes(uri, maxUriBytes) : null
}

type Supply = Pick<CoinState, 'supply' | 'maximum'>

/**
 * The supply as in `fungible_asset::supply`: from ConcurrentSupply if present, else from Supply, else not counted. A maximum of MAX_U128 is no limit
 * (`fungible_asset::maximum`).
 */
function supplyOf(resources: Resources): { read: Supply; fault: string | undefined } {
  const concurrent = resources.get(assetResources.concurrentSupply)
  const plain = resources.get(assetResources.supply)
  if (!concurrent && !plain) return { read: { supply: null, maximum: null }, fault: undefined }
  const { value, max_value: most } = fieldsOf(concurrent?.current)
  const supply = parseU128(concurrent ? value : plain?.current)
  const maximum = parseU128(concurrent ? most : (firstOf(plain?.maximum) ?? String(maxU128)))
  return {
    read: { supply: supply ?? null, maximum: maximum === undefined || maximum === maxU128 ? null : maximum },
    fault:
      supply === undefined || maximum === undefined
        ? concurrent
          ? assetResources.concurrentSupply
          : assetResources.supply
        : undefined,
  }
}
