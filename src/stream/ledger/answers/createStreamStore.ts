import type { Database } from '../../../db/database.ts'
import { changeOperationsSecret, readOperationsSecret } from '../../settings/operationsSecret.ts'
import { rotateSecret } from '../../settings/rotateSecret.ts'
import { changeSettings, readSettings, regions } from '../../settings/streamSettings.ts'
import type { StreamStore } from '../../store.ts'
import { readRangeReplay, requestRangeReplay } from '../rangeReplay.ts'
import { requestReplay } from '../requestReplay.ts'
import { readDelivery } from './readDeliveries.ts'

export type StreamStoreOptions = {
  db: Database
  settings: { secretOverlapMs: number }
}

export function createStreamStore({ db, settings }: StreamStoreOptions): StreamStore {
  return {
    async replay(streamId, id) {
      if (!(await requestReplay({ db, streamId, id }))) return undefined
      return readDelivery(db, { streamId, id })
    },
    replayRange: (streamId, range) => db.transaction((tx) => requestRangeReplay({ tx, streamId, range })),
    rangeReplay: (streamId, id) => readRangeReplay(db, streamId, id),
    rotateSecret: (streamId) => rotateSecret(db, { streamId, overlapMs: settings.secretOverlapMs }),
    operationsSecret: () => readOperationsSecret(db),
    changeOperationsSecret: (secret) => changeOperationsSecret(db, secret),
    settings: () => readSettings(db),
    async changeSettings({ region, secretKey }) {
      const known = regions.find((name) => name === region)
      await changeSettings(db, { ...(known && { region: known }), ...(secretKey !== undefined && { secretKey }) })
    },
  }
}
