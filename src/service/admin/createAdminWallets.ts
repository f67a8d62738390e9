import type { AdminWallets, WalletReport, WalletStatus } from '../../api/admin/wallets.ts'
import type { Config } from '../../config/config.ts'
import { demandLimits } from '../../config/resolveChains.ts'
import type { Database } from '../../db/database.ts'
import { progressOf } from '../../nft/pages/collections/state.ts'
import { createWalletDemand } from '../../nft/walletHistory/createWalletDemand.ts'
import {
  countWallets,
  describeOmitted,
  type ListedWallet,
  listWallets,
  removeWallet,
  showWallet,
} from '../../nft/walletHistory/walletList.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { NotFoundError } from '../../util/errors.ts'
import { type Address, quantity } from '../../util/hex.ts'
import { findChain, findFilterChain, readChainNames } from '../findChain.ts'

export function createAdminWallets({ config, db }: { config: Config; db: Database }): AdminWallets {
  const demand = createWalletDemand({ db, ...demandLimits(config) })
  const chainOf = (text: string) => findChain({ db, config }, text)

  async function detailOf(chain: NamedChain, address: Address) {
    const found = await showWallet(db, chain.id, address)
    if (!found) throw notIndexed(chain, address)
    return { ...reportOf(chain.name, found), tokens: String(found.tokens), contracts: String(found.contracts) }
  }

  return {
    async list({ chain, status, after, limit }) {
      const nameOf = await readChainNames({ db, config })
      const filter = { chainId: chain === null ? null : (await findFilterChain({ db, config }, chain)).id, status }
      const found = await listWallets(db, {
        ...filter,
        limit: limit + 1,
        after: after === null ? null : placeOf(after),
      })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      return {
        items: shown.map((wallet) => reportOf(nameOf(wallet.chainId), wallet)),
        total: await countWallets(db, filter),
        next: found.length > limit && last ? `${last.chainId} ${last.address}` : null,
      }
    },

    get: async ({ chain, address }) => detailOf(await chainOf(chain), address),

    async index({ chain: text, address }, keyId) {
      const chain = await chainOf(text)
      await demand.request(chain.id, address, keyId)
      return detailOf(chain, address)
    },

    async remove({ chain: text, address }) {
      const chain = await chainOf(text)
      if (!(await removeWallet(db, chain.id, address))) throw notIndexed(chain, address)
      return { chain: chain.name, chainId: quantity(chain.id), address, removed: true }
    },
  }
}

function reportOf(chain: string, wallet: ListedWallet): WalletReport {
  const { chainId, address, status, reason, fromBlock, toBlock, headBlock, transfers, requestedAt, askedAt } = wallet
  const isAtHead = status === 'live' && toBlock !== null && headBlock !== null && toBlock >= headBlock
  return {
    ...{ chain, chainId: quantity(chainId), address, status: status as WalletStatus, reason },
    progress: isAtHead ? 1 : progressOf(0n, headBlock, toBlock === null ? 0n : toBlock + 1n),
    ...{ fromBlock: textOf(fromBlock), toBlock: textOf(toBlock), headBlock: textOf(headBlock) },
    ...{ transfers: String(transfers), incomplete: describeOmitted(wallet) },
    ...{ requestedAt: requestedAt.toISOString(), askedAt: askedAt.toISOString() },
  }
}

const textOf = (number: bigint | null) => (number === null ? null : String(number))

const notIndexed = (chain: NamedChain, address: Address) =>
  new NotFoundError(
    `${address} of ${chain.name} is not indexed over all contracts: start it with POST /admin/wallets/${encodeURIComponent(chain.name)}/${address}/index`,
    { details: { parameter: 'address' } },
  )

function placeOf(text: string): { chainId: bigint; address: Address } {
  const [chainId, address] = text.split(' ') as [string, Address]
  return { chainId: BigInt(chainId), address }
}
