import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demoHorizons } from '../../src/cli/demo/contracts/demoHorizons.artifact.ts'
import type { Sql } from '../../src/db/database.ts'
import type { Address } from '../../src/util/hex.ts'
import { hexToBuffer } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'

/** Deploys tokens with images and traits, drawn by the demo's contract. Three accounts hold them in turn. */
export async function deployHorizons(anvil: Anvil, count: bigint): Promise<Address> {
  const address = await anvil.deploy(demoHorizons, [])
  await anvil.send({
    to: address,
    abi: demoHorizons.abi,
    functionName: 'mintBatch',
    args: [anvil.accounts.slice(0, 3), 0n, count],
    gas: 60_000_000n,
  })
  return address
}

/** Deploys a collection whose metadata comes from `host`. */
export async function deployDocumented(anvil: Anvil, name: string, base: string, count: bigint): Promise<Address> {
  const address = await anvil.deploy(plain721, [name, 'X', base])
  const [to] = anvil.accounts as [Address]
  await anvil.send({
    to: address,
    abi: plain721.abi,
    functionName: 'mintBatch',
    args: [to, 1n, count],
    gas: 60_000_000n,
  })
  return address
}

/** Adds tokens to an indexed collection, as if that many had been minted. The database generates the rows. */
export async function addSeededTokens(db: Sql, address: Address, count: number): Promise<void> {
  await db.run(
    `WITH added AS (
       INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders, was_listed)
       SELECT partition, id, md5($1 || (1000000 + n)::text)::uuid, 1000000 + n, decode(lpad(to_hex(n % 997 + 1), 40, '0'), 'hex'), '\\x${'ab'.repeat(20)}',
         from_block * 1048576, from_block * 1048576, 1, 1, true
       FROM collection, generate_series(1, $3::int) n WHERE address = $2 RETURNING 1
     )
     UPDATE collection SET tokens = tokens + (SELECT count(*) FROM added), version = version + 1 WHERE address = $2`,
    [address, hexToBuffer(address), count],
  )
}

export type MetadataHost = {
  url: string
  /** Replaces the metadata. */
  report(document: (id: string) => unknown): void
  close(): Promise<void>
}

/** Serves JSON for each path. */
export async function startMetadataHost(first: (id: string) => unknown): Promise<MetadataHost> {
  let document = first
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(document(request.url!.split('/').at(-1)!)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    report(next) {
      document = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
