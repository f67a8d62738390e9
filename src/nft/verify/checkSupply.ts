import type { Sql } from '../../db/database.ts'
import { selectHashesIn } from '../transfers/keyed.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import type { Findings } from './createFindings.ts'
import { answersAt, type Panel } from './createPanel.ts'
import type { Subject } from './openSubject.ts'

/** Tokens per multicall. */
const together = 1_000

/**
 * ERC-721 Enumerable: compares the number of listed tokens with totalSupply(). `existing`: number of checked tokens that exist on the chain;
 * undefined for a sample. If totalSupply() differs, reads all tokens from the contract, and finds those that are not stored.
 */
export async function checkSupply(
  options: { panel: Panel; findings: Findings; subject: Subject; sql: Sql },
  existing: number | undefined,
): Promise<void> {
  const { panel, findings, subject } = options
  const supplies = await panel.request((reader, signal) => reader.supply(signal))
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
    const answers = await panel.request((reader, signal) => reader.tokensByIndex(indices, signal))
    const ids = answers[0]!.value.filter((id) => id !== null)
    // The contract reports more tokens than it can list: its count is wrong, which is already reported.
    if (ids.length === 0) return
    const hashes = ids.map((id) => tokenHash(subject.address, String(id)))
    const known = new Set(
      (await sql.rows<[string]>(selectHashesIn(subject.tables.token), [subject.partition, subject.id, hashes])).map(
        ([hash]) => hash,
      ),
    )
    const unknown = ids.filter((id, i) => !known.has(hashes[i]!) && !named.has(String(id)))
    if (unknown.length > 0) {
      const owners = await panel.request((reader, signal) => reader.owners(unknown, signal))
      for (const [i, id] of unknown.entries())
        findings.compare({ kind: 'missing', tokenId: String(id) }, null, answersAt(owners, i))
    }
    await panel.anchor()
  }
}
