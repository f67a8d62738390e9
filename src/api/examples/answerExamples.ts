import { adminExamples } from './admin.ts'
import { alchemyExamples } from './alchemy.ts'
import { coinExamples } from './coin.ts'
import { nftExamples } from './nft.ts'
import { streamExamples } from './stream.ts'

const version = '1.0.0'

const serviceExamples = {
  getRoot: { name: 'mintmark', version, docs: '/docs', openapi: '/openapi.json' },
  getHealth: { status: 'ok', version },
  getOwnKey: { access: 'admin' },
  callMcp: { jsonrpc: '2.0' },
  beginSession: { token: `mms_${'A'.repeat(43)}`, access: 'admin' },
  redeemCode: { token: `mmo_${'A'.repeat(43)}`, access: 'admin' },
  endSession: { ended: true },
  getReady: { status: 'ready' },
  getOpenapi: { openapi: '3.1.0', info: { title: 'Mintmark', version }, paths: {} },
}

/** A complete JSON answer per operation id, for `/openapi.json`. A test validates each against its schema. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  ...nftExamples,
  ...alchemyExamples,
  ...coinExamples,
  ...streamExamples,
  ...adminExamples,
  ...serviceExamples,
}
