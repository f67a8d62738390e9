import type { Sql } from '../../db/database.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { answersAt } from './checkOwners.ts'
import type { Findings } from './createFindings.ts'
import type { Panel } from './createPanel.ts'
import type { Subject } from './openSubject.ts'

/** Tokens named by index at a time. */
const together = 1_000

/**
 * ERC-721 Enumerable: the tokens listed against totalSupply(). `existing`: how many the chain was seen to have, where all
 * were asked; if that is not all of them, the contract names those that are missing.
 */
export async function checkSupply(
  options: { panel: Panel; findings: Findings; subject: Subject; sql: Sql },
  existing: number | undefined,
): Promise<void> {
  const { panel, findings, subject } = options
  const supplies = await panel.ask((reader, signal) => reader.supply(signal))
  const supply = supplies.find((answer) => answer.value !== null)?.value ?? null
  if (supply === null) return
  findings.compare({ kind: 'supply', tokenId: null }, subject.listed, supplies)
  if (existing !== undefined && BigInt(existing) !== supply) await nameMissing(options, supply)
}

async function nameMissing(
  { panel, findings, subject, sql }: { panel: Panel; findings: Findings; subject: Subject; sql: Sql },
  supply: bigint,
): Promise<void> {
  const named = new Set(findings.mismatches.filter((m) => m.kind === 'missing').map((m) => m.tokenId))
  for (let from = 0n; from < supply; from += BigInt(together)) {
    const count = supply - from < BigInt(together) ? Number(supply - from) : together
    const indices = Array.from({ length: count }, (_, i) => from + BigInt(i))
    const answers = await panel.ask((reader, signal) => reader.tokensByIndex(indices, signal))
    const ids = answers[0]!.value.filter((id) => id !== null)
    // A contract that claims more than it can name: the count is what is wrong, and it is told.
    if (ids.length === 0) return
    const hashes = ids.map((id) => tokenHash(subject.address, String(id)))
    const known = new Set(
      (
        await sql.rows<[string]>(
          `SELECT replace(token_hash::text, '-', '') FROM ${subject.tables.token}
           WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])`,
          [subject.partition, subject.id, hashes],
        )
      ).map(([hash]) => hash),
    )
    const unknown = ids.filter((id, i) => !known.has(hashes[i]!) && !named.has(String(id)))
    if (unknown.length > 0) {
      const owners = await panel.ask((reader, signal) => reader.owners(unknown, signal))
      for (const [i, id] of unknown.entries())
        findings.compare({ kind: 'missing', tokenId: String(id) }, null, answersAt(owners, i))
    }
    await panel.anchor()
  }
}
