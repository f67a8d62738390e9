import { randomBytes } from 'node:crypto'
import type { Database, Sql } from '../../db/database.ts'
import { webhookChannel } from '../ledger/ledgerEntry.ts'

/** Regions of published clients. The setting is stored and returned, but has no effect. */
export const regions = ['us-east-1', 'us-west-2', 'eu-central-1', 'ap-southeast-1'] as const
export type Region = (typeof regions)[number]

export type StreamSettings = {
  region: Region
  /** The secret of the header `x-signature`. */
  secretKey: string
}

/** Notification on `webhookChannel` after a change of the settings. */
export const settingsChanged = 'settings'

const names = { region: 'streams_region', secretKey: 'streams_secret_key' } as const

/** The settings; a missing secret is generated. */
export async function readSettings(sql: Sql): Promise<StreamSettings> {
  const rows = await sql.rows<[string, string]>('SELECT name, value FROM setting WHERE name = ANY($1)', [
    Object.values(names),
  ])
  const values = new Map(rows)
  const secretKey = values.get(names.secretKey) ?? (await generateSecret(sql))
  return { region: regions.find((region) => region === values.get(names.region)) ?? regions[0], secretKey }
}

async function generateSecret(sql: Sql): Promise<string> {
  const [row] = await sql.rows<[string]>(
    `INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = setting.value RETURNING value`,
    [names.secretKey, randomBytes(32).toString('hex')],
  )
  return row![0]
}

/** Changes the given settings. A new secret signs webhooks that are sent from now on. */
export async function changeSettings(db: Database, settings: Partial<StreamSettings>): Promise<void> {
  const given = (Object.keys(names) as (keyof typeof names)[]).filter((name) => settings[name] !== undefined)
  await db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO setting (name, value) SELECT * FROM unnest($1::text[], $2::text[])
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [given.map((name) => names[name]), given.map((name) => settings[name])],
    )
    await tx.rows('SELECT pg_notify($1, $2)', [webhookChannel, settingsChanged])
  })
}
