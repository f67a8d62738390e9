import type { AdminRoutesOptions } from '../admin/admin.ts'
import type { ConsoleAnswers } from '../console/consoleAnswers.ts'
import type { Route } from '../http/route.ts'
import { adminRoutes } from './admin/admin.ts'
import { searchRoutes } from './admin/adminSearch.ts'
import { collectionRoutes } from './admin/collections.ts'
import { type CoinRoutesOptions, coinRoutes } from './coins.ts'
import { consoleRoutes } from './console.ts'
import { documentationRoutes } from './documentation.ts'
import { keyRoutes } from './key.ts'
import { type McpRoutesOptions, mcpRoutes } from './mcp.ts'
import { type ChainRoutesOptions, chainRoutes } from './nft/chains.ts'
import { type ChainTransfersRoutesOptions, chainTransfersRoutes } from './nft/chainTransfers.ts'
import { type Media, mediaRoutes } from './nft/media.ts'
import { type NftRoutesOptions, nftRoutes } from './nft/nft.ts'
import { type NftContractRoutesOptions, nftContractRoutes } from './nft/nftContract.ts'
import { type NftEventRoutesOptions, nftEventRoutes } from './nft/nftEvents.ts'
import { type NftFileRoutesOptions, nftExportRoutes } from './nft/nftExport.ts'
import { type NftHoldersRoutesOptions, nftHoldersRoutes } from './nft/nftHolders.ts'
import { type NftMetadataRoutesOptions, nftMetadataRoutes } from './nft/nftMetadata.ts'
import { type NftOwnersRoutesOptions, nftOwnersRoutes } from './nft/nftOwners.ts'
import { type NftSnapshotRoutesOptions, nftSnapshotRoutes } from './nft/nftSnapshot.ts'
import { nftSnapshotProofRoutes } from './nft/nftSnapshotProof.ts'
import { type NftStatsRoutesOptions, nftStatsRoutes } from './nft/nftStats.ts'
import { type NftTokensRoutesOptions, nftTokensRoutes } from './nft/nftTokens.ts'
import { type NftTraitsRoutesOptions, nftTraitsRoutes } from './nft/nftTraits.ts'
import { type NftTransfersRoutesOptions, nftTransfersRoutes } from './nft/nftTransfers.ts'
import { walletChainsRoutes } from './nft/walletChains.ts'
import { type WalletNftRoutesOptions, walletNftRoutes } from './nft/walletNfts.ts'
import { type WalletTransferRoutesOptions, walletTransferRoutes } from './nft/walletTransfers.ts'
import { type ServiceRoutesOptions, serviceRoutes } from './service.ts'
import { type SessionRoutesOptions, sessionRoutes } from './session.ts'
import { type HistoryRoutesOptions, historyRoutes } from './streams/history.ts'
import { settingsRoutes } from './streams/settings.ts'
import { statsRoutes } from './streams/stats.ts'
import { type StreamRoutesOptions, streamRoutes } from './streams/streams.ts'

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
  /** NFT routes that write, and those of files: they read the primary. */
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

/** The route table, which defines routing, validation and `/openapi.json`. */
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
