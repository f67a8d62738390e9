import type { Sql } from '../../db/database.ts'
import { createWebhookSecret } from '../sign/webhookSecret.ts'

const name = 'streams_operations_secret'

/**
 * The secret (whsec_…) that signs operational webhooks to `webhooks.operationsUrl` (`signOperationalWebhook`); generated if
 * missing.
 */
export async function readOperationsSecret(sql: Sql): Promise<string> {
  const [row] = await sql.rows<[string]>('SELECT value FROM setting WHERE name = $1', [name])
  return row ? row[0] : keep(sql, createWebhookSecret(), 'setting.value')
}

/** Sets the secret of operational webhooks, by default a new one, and returns it. */
export function changeOperationsSecret(sql: Sql, secret = createWebhookSecret()): Promise<string> {
  return keep(sql, secret, 'excluded.value')
}

async function keep(sql: Sql, secret: string, winner: 'setting.value' | 'excluded.value'): Promise<string> {
  const [row] = await sql.rows<[string]>(
    `INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = ${winner} RETURNING value`,
    [name, secret],
  )
  return row![0]
}
