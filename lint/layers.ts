/**
 * The modules that each module of `src/` may import, besides itself and the base layer. A module is a folder; imports of types count.
 * `scripts/writeLayerRules.ts` makes the linter's rules of this table and rejects a circle.
 */
export const modules: Record<string, string> = {
  // Layer 1: the database, the network, the chains. None knows another.
  'db/schema': '',
  db: '',
  'db/cluster': 'db',
  'db/staging': 'db db/cluster',
  'db/migrations': 'db db/cluster db/staging',
  'db/views': 'db db/cluster',
  'db/query': 'db db/cluster db/views',
  'db/server': 'db',
  'db/backup': 'db db/cluster db/migrations',
  'db/embedded': 'db',
  'db/pipeline': 'db db/cluster',
  'db/replica': 'db db/cluster db/pipeline db/server',
  net: '',
  'net/guard': 'net',
  'net/ipfs': 'net',
  'chain/aptos': '',
  'chain/evm': '',
  'chain/evm/rpc': 'chain/evm',
  'chain/evm/source/headers': 'chain/evm chain/evm/rpc chain/evm/source/source.ts chain/evm/source/sourceError.ts',
  'chain/evm/source': 'chain/evm chain/evm/rpc chain/evm/source/headers',
  'chain/evm/contracts': 'chain/evm chain/evm/rpc chain/evm/source',

  // Layer 2: keeping up with chains, and who does which part of it.
  'sync/leases': 'db',
  sync: 'sync/leases db chain/evm chain/evm/rpc chain/evm/source chain/evm/contracts',

  // Layer 3: the products. None knows another.
  'nft/collection': 'db sync/leases',
  'nft/transfers': 'db/copyBinary.ts chain/evm/rpc chain/evm/source chain/evm/contracts',
  'nft/metadata/uri': '',
  'nft/metadata/parse': 'nft/metadata/uri',
  nft: 'sync nft/metadata/parse nft/transfers/position.ts',
  'nft/metadata/store':
    'db db/staging chain/evm/rpc chain/evm/source sync/leases nft nft/collection nft/transfers nft/metadata/parse',
  'nft/metadata': 'db net chain/evm/contracts sync sync/leases nft/metadata/parse nft/metadata/store nft/metadata/uri',
  'nft/wallets': 'db db/cluster db/staging sync sync/leases nft/transfers',
  'nft/holders': 'db db/staging sync sync/leases nft/collection nft/transfers',
  'nft/store':
    'db db/staging chain/evm/rpc sync sync/leases nft nft/collection nft/transfers nft/holders nft/metadata/store nft/wallets',
  'nft/index':
    'db db/cluster chain/evm chain/evm/rpc chain/evm/source chain/evm/contracts sync sync/leases nft/transfers nft/store nft/metadata/store',
  'nft/walletHistory':
    'db db/staging chain/evm chain/evm/rpc chain/evm/source chain/evm/contracts sync sync/leases nft nft/collection nft/transfers nft/metadata/store nft/store nft/index',
  'nft/discovery': 'db chain/evm chain/evm/rpc chain/evm/source sync nft/transfers nft/store',
  'nft/media/draw': 'nft/metadata/uri',
  'nft/media/blobs': 'nft/media/draw',
  'nft/media':
    'db net sync sync/leases nft/collection nft/media/blobs nft/media/draw nft/metadata nft/metadata/parse nft/metadata/store nft/metadata/uri',
  'nft/asOf': 'db nft nft/collection nft/transfers',
  'nft/blocks': 'db chain/evm/rpc chain/evm/source sync nft nft/transfers',
  'nft/pages/rows': 'db db/pipeline nft nft/collection nft/media nft/metadata/store nft/rarity nft/transfers',
  'nft/pages/traits': 'db nft nft/metadata/parse nft/transfers',
  'nft/pages/collections': 'db sync nft nft/collection nft/transfers nft/store nft/metadata nft/spam nft/pages/rows',
  'nft/pages/origins':
    'db db/cluster db/pipeline sync nft nft/blocks nft/transfers nft/metadata/parse nft/metadata/store nft/pages/rows',
  'nft/pages/holders': 'db sync nft nft/asOf nft/holders nft/transfers nft/pages/rows',
  'nft/pages/wallets':
    'db db/pipeline sync nft nft/blocks nft/transfers nft/store nft/metadata/store nft/wallets nft/pages/rows nft/pages/collections nft/pages/origins',
  'nft/pages/transfers':
    'db db/pipeline sync nft nft/blocks nft/collection nft/transfers nft/pages/rows nft/pages/wallets',
  'nft/pages':
    'db db/pipeline sync nft nft/asOf nft/blocks nft/collection nft/transfers nft/media nft/metadata/parse nft/spam nft/wallets nft/pages/rows nft/pages/traits nft/pages/collections nft/pages/holders nft/pages/wallets',
  'nft/rarity': 'db sync sync/leases nft/collection nft/transfers',
  'nft/spam': 'db net sync sync/leases nft/collection nft/metadata/parse',
  'nft/merkle': '',
  'nft/files': 'db nft nft/asOf nft/merkle nft/transfers',
  'nft/verify':
    'db db/cluster chain/evm/contracts chain/evm/source sync nft nft/files nft/merkle nft/transfers nft/pages/collections nft/metadata/store nft/walletHistory',
  'coin/decode': 'chain/aptos',
  'coin/pages': 'db sync coin/query.ts coin/supplyPoints.ts coin/decode',
  coin: 'db chain/aptos sync sync/leases coin/decode coin/pages',
  'stream/sign': '',
  stream: 'stream/sign',
  'stream/match': 'chain/evm/rpc stream',
  'stream/payload': 'chain/evm/rpc chain/evm/source chain/evm/contracts sync stream stream/match',
  'stream/operational': 'db net stream/settings stream/sign',
  'stream/ledger': 'db sync sync/leases stream stream/payload',
  'stream/settings': 'db sync stream/ledger stream/sign',
  'stream/ledger/answers': 'db sync stream stream/ledger stream/settings',
  'stream/definition':
    'db sync sync/leases stream stream/ledger stream/match stream/operational stream/payload stream/sign',
  'stream/follow':
    'db chain/evm chain/evm/rpc chain/evm/source chain/evm/contracts sync sync/leases stream/definition stream/ledger stream/match stream/payload',
  'stream/preview': 'chain/evm/rpc sync stream stream/definition stream/follow stream/match stream/payload',
  'stream/delivery/attempt': 'db net sync stream stream/definition stream/ledger stream/settings stream/sign',
  'stream/delivery/queues': 'db stream/ledger stream/delivery/attempt',
  'stream/delivery':
    'db net sync sync/leases stream/definition stream/ledger stream/operational stream/settings stream/sign stream/delivery/attempt stream/delivery/queues',

  // Layer 4: the API. It imports the types of a product's questions and answers, the database's types, and the keys.
  'api/keys': 'db/database.ts db/keys.ts db/sessions.ts',
  'api/http': 'api/keys db/database.ts db/databaseError.ts',
  'api/pages': 'api/http api/keys db/database.ts nft/query.ts',
  'api/document': 'api/examples api/http',
  'api/console': 'api/http',
  'api/nft/collections': 'api/http api/pages nft/query.ts nft/demand.ts',
  'api/nft':
    'api/http api/pages api/nft/collections nft/query.ts nft/traits.ts nft/asOfQuery.ts nft/transferQuery.ts nft/holderQuery.ts nft/fileQuery.ts',
  'api/nft/wallets':
    'api/http api/pages api/nft api/nft/collections nft/query.ts nft/walletQuery.ts nft/transferQuery.ts nft/demand.ts',
  'api/events':
    'api/http api/pages nft/query.ts nft/walletQuery.ts nft/transferQuery.ts nft/transferRecord.ts nft/changeQuery.ts',
  'api/alchemy/records':
    'api/http api/nft/collections api/nft/wallets nft/query.ts nft/nftRecord.ts nft/walletQuery.ts nft/originQuery.ts',
  'api/alchemy/transfers':
    'api/http api/nft api/nft/wallets api/alchemy/alchemyRoute.ts api/alchemy/indexedAnswer.ts api/alchemy/pageKey.ts api/alchemy/parameters.ts api/alchemy/schemas.ts nft/transferRecord.ts nft/transferQuery.ts nft/originQuery.ts',
  'api/alchemy':
    'api/http api/pages api/nft api/nft/collections api/nft/wallets api/alchemy/records api/alchemy/transfers nft/query.ts nft/traits.ts nft/nftRecord.ts nft/asOfQuery.ts nft/walletQuery.ts nft/transferQuery.ts nft/holderQuery.ts nft/originQuery.ts nft/demand.ts',
  'api/coin': 'api/http api/pages coin/query.ts',
  'api/stream': 'api/http stream/demand.ts stream/streamDefinition.ts',
  'api/admin': 'api/http api/pages db/keys.ts nft/query.ts stream/demand.ts stream/query.ts',
  'api/mcp': '',
  'api/examples': '',
  'api/routes/admin': 'api/http api/pages api/admin api/nft api/stream db/keys.ts nft/query.ts stream/query.ts',
  'api/routes/nft':
    'api/http api/pages api/events api/nft api/nft/collections api/nft/wallets nft/query.ts nft/asOfQuery.ts nft/transferQuery.ts nft/holderQuery.ts nft/originQuery.ts nft/demand.ts nft/fileQuery.ts',
  'api/routes/streams': 'api/http api/pages api/stream stream/query.ts stream/demand.ts stream/store.ts',
  'api/routes':
    'api/http api/pages api/keys api/admin api/console api/document api/mcp api/nft api/coin api/routes/admin api/routes/nft api/routes/streams coin/query.ts',
  api: 'api/admin api/alchemy api/console api/events api/http api/keys api/pages api/nft api/nft/collections api/nft/wallets api/coin api/routes api/routes/nft db/database.ts nft/query.ts nft/asOfQuery.ts nft/walletQuery.ts nft/transferQuery.ts nft/holderQuery.ts nft/originQuery.ts nft/changeQuery.ts nft/demand.ts nft/fileQuery.ts coin/query.ts stream/query.ts stream/demand.ts stream/store.ts',

  // Layer 5: everything is put together.
  config: '*',
  service: '*',
  'service/processes': '*',
  'service/admin': '*',
  'service/console': 'api/console/consoleFiles.ts',
  'cli/demo/contracts': '',
  'cli/report': '*',
  'cli/context': '*',
  'cli/input': '*',
  'cli/listen': '*',
  'cli/demo': '*',
  'cli/commands': '*',
  cli: '*',
}

/** The base layer, which every module may import. */
export const baseModules = 'util util/faults util/files util/http util/threads util/urls metrics'

/** The same for `web/`, the console, which imports nothing of `src/`: it knows the API by the types that are made of openapi.json. */
export const webModules: Record<string, string> = {
  api: '',
  text: '',
  context: 'api',
  parts: 'api text context',
  views: 'context',
  frame: 'api context parts views',
}

/** What each folder below `web/views/`, which is one view, may import besides itself. No view knows another. */
export const webView = 'api text context parts'
