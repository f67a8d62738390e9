import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { probeStorage } from '../../src/db/cluster/probeStorage.ts'
import { storageFault } from '../../src/util/faults/storageFault.ts'
import { createTestDatabase } from '../database.ts'
import { mountDisk } from '../mountDisk.ts'
import { onServer } from '../onServer.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const [worker, ...others] = inject('postgres').workers

test.skipIf(!worker || others.length !== 1)(
  'behavior: a full disk of a node is detected, even if the coordinator has space (skipped without a cluster of two workers)',
  async (context) => {
    const disk = await temporaryFolder()
    if (!(await mountDisk(disk, 1))) return context.skip('only root may mount a disk to fill')
    // The servers run as this user.
    execFileSync('chown', ['postgres', disk])
    const { db, connection, drop } = await createTestDatabase()
    const { database } = connection
    await probeStorage(db)
    const [space, name] = [`${database}_full`, { ...worker!, database: database! }]
    await onServer(worker!, `CREATE TABLESPACE ${space} LOCATION '${disk}'`)
    onTestFinished(async () => {
      await drop()
      await onServer(worker!, `DROP TABLESPACE ${space}`)
    })
    // The remaining space is less than the probe writes.
    writeFileSync(join(disk, 'filler'), Buffer.alloc(500_000))
    await onServer(worker!, `ALTER DATABASE ${database} SET temp_tablespaces = '${space}'`)
    // Sessions keep the setting from their start, so end them.
    await onServer(
      name,
      'SELECT pg_terminate_backend(pid::integer) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    const probed = () =>
      probeStorage(db).then(
        () => undefined,
        (error: unknown) => storageFault(error)?.reason,
      )
    await expect.poll(probed).toBe('the disk of the database is full')
    await onServer(worker!, `ALTER DATABASE ${database} RESET temp_tablespaces`)
  },
)
