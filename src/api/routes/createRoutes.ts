import type { AdminRoutesOptions } from '../admin/admin.ts'
import type { ConsoleAnswers } from '../console/consoleAnswers.ts'
import type { Route } from '../http/route.ts'
import { adminRoutes } from './admin.ts'
import { searchRoutes } from './adminSearch.ts'
import { type ChainRoutesOptions, chainRoutes } from './chains.ts'
import { type ChainTransfersRoutesOptions, chainTransfersRoutes } from './chainTransfers.ts'
import { type CoinRoutesOptions, coinRoutes } from './coins.ts'
import { collectionRoutes } from './collections.ts'
import { consoleRoutes } from './console.ts'
import { documentationRoutes } from './documentation.ts'
import { type HistoryRoutesOptions, historyRoutes } from './history.ts'
import { keyRoutes } from './key.ts'
import { type McpRoutesOptions, mcpRoutes } from './mcp.ts'
import { type Media, mediaRoutes } from './media.ts'
import { type NftRoutesOptions, nftRoutes } from './nft.ts'
import { type NftContractRoutesOptions, nftContractRoutes } from './nftContract.ts'
import { type NftEventRoutesOptions, nftEventRoutes } from './nftEvents.ts'
import { type NftFileRoutesOptions, nftExportRoutes } from './nftExport.ts'
import { type NftHoldersRoutesOptions, nftHoldersRoutes } from './nftHolders.ts'
import { type NftMetadataRoutesOptions, nftMetadataRoutes } from './nftMetadata.ts'
import { type NftOwnersRoutesOptions, nftOwnersRoutes } from './nftOwners.ts'
import { type NftSnapshotRoutesOptions, nftSnapshotRoutes } from './nftSnapshot.ts'
import { nftSnapshotProofRoutes } from './nftSnapshotProof.ts'
import { type NftStatsRoutesOptions, nftStatsRoutes } from './nftStats.ts'
import { type NftTokensRoutesOptions, nftTokensRoutes } from './nftTokens.ts'
import { type NftTraitsRoutesOptions, nftTraitsRoutes } from './nftTraits.ts'
import { type NftTransfersRoutesOptions, nftTransfersRoutes } from './nftTransfers.ts'
import { type ServiceRoutesOptions, serviceRoutes } from './service.ts'
import { type SessionRoutesOptions, sessionRoutes } from './session.ts'
import { settingsRoutes } from './settings.ts'
import { statsRoutes } from './stats.ts'
import { type StreamRoutesOptions, streamRoutes } from './streams.ts'
import { walletChainsRoutes } from './walletChains.ts'
import { type WalletNftRoutesOptions, walletNftRoutes } from './walletNfts.ts'
import { type WalletTransferRoutesOptions, walletTransferRoutes } from './walletTransfers.ts'

export type RoutesOptions = {
  chains: ChainRoutesOptions
  nft: NftRoutesOptions &
    NftContractRoutesOptions &
    NftTokensRoutesOptions &
    NftTraitsRoutesOptions &
    NftOwnersRoutesOptions &
    NftHoldersRoutesOptions &
    NftStatsRoutesOptions &
    NftTransfersRoutesOptions &
    ChainTransfersRoutesOptions &
    WalletNftRoutesOptions &
    WalletTransferRoutesOptions &
    NftEventRoutesOptions
  /** Routes of NFTs that write, and those of files: they read where is written. */
  written: NftMetadataRoutesOptions & NftFileRoutesOptions & NftSnapshotRoutesOptions
  coin: CoinRoutesOptions
  streams: StreamRoutesOptions
  /** Statistics, history and settings of streams. */
  deliveries: HistoryRoutesOptions
  service: Omit<ServiceRoutesOptions, 'page'>
  mcp: McpRoutesOptions
  admin: AdminRoutesOptions
  console: ConsoleAnswers
  session: SessionRoutesOptions
  /** Routes of other dialects, as `openapi.json` describes them. */
  dialects: readonly Route[]
  media?: Media | undefined
  version: string
}

/** The whole table: what is served, what validates it, and what `/openapi.json` says. */
export function createRoutes(options: RoutesOptions): Route[] {
  const {
    chains,
    nft,
    written,
    coin,
    streams,
    deliveries,
    service,
    mcp,
    admin,
    console,
    session,
    dialects,
    media,
    version,
  } = options
  const routes = [
    ...nftRoutes(nft),
    ...nftTokensRoutes(nft),
    ...nftContractRoutes(nft),
    ...nftExportRoutes(written),
    ...nftSnapshotRoutes(written),
    ...nftSnapshotProofRoutes(written),
    ...nftMetadataRoutes(written),
    ...nftTraitsRoutes(nft),
    ...nftTransfersRoutes(nft),
    ...chainTransfersRoutes(nft),
    ...nftEventRoutes(nft),
    ...nftOwnersRoutes(nft),
    ...nftHoldersRoutes(nft),
    ...nftStatsRoutes(nft),
    ...walletNftRoutes(nft),
    ...walletChainsRoutes(nft),
    ...walletTransferRoutes(nft),
    ...dialects,
    ...chainRoutes(chains),
    ...coinRoutes(coin),
    ...streamRoutes(streams),
    ...statsRoutes(deliveries),
    ...historyRoutes(deliveries),
    ...settingsRoutes(deliveries),
    ...mediaRoutes(media),
    ...serviceRoutes({ ...service, page: (exchange) => console.page(exchange) }),
    ...keyRoutes(),
    ...mcpRoutes(mcp),
    ...sessionRoutes(session),
    ...consoleRoutes(console),
    ...collectionRoutes(admin),
    ...searchRoutes(admin),
    ...adminRoutes(admin),
  ]
  return [...routes, ...documentationRoutes({ routes, version })]
}
