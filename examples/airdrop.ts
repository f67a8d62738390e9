// The claims of an airdrop: a Merkle root for the contract, and the proofs of every holder.
import { writeFile } from 'node:fs/promises'
import { argv, env } from 'node:process'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'

const { MINTMARK = 'http://127.0.0.1:8080', KEY = '' } = env
const [address, chain = 'local', out = 'claims.json'] = argv.slice(2)

const url = `${MINTMARK}/api/v2/nft/${address}/snapshot?chain=${chain}&format=ndjson`
const response = await fetch(url, { headers: { 'X-API-Key': KEY } })
if (!response.ok) throw new Error(await response.text())
if (!response.headers.has('x-snapshot-root')) throw new Error('no holders at the last final block')
const lines = (await response.text()).trimEnd().split('\n')
const rows = lines.map((line) => JSON.parse(line) as { token_id: string; owner_of: string; amount: string })

const leaves = rows.map((row) => [row.owner_of, row.token_id, row.amount])
const tree = StandardMerkleTree.of(leaves, ['address', 'uint256', 'uint256'])
if (tree.root !== response.headers.get('x-snapshot-root'))
  throw new Error('x-snapshot-root does not match the root of these rows')

const claims: Record<string, { tokenId: string; amount: string; proof: string[] }[]> = {}
for (const [i, [owner, tokenId, amount]] of tree.entries() as Iterable<[number, [string, string, string]]>) {
  claims[owner] ??= []
  claims[owner].push({ tokenId, amount, proof: tree.getProof(i) })
}
const block = response.headers.get('x-snapshot-block')
await writeFile(out, JSON.stringify({ block, root: tree.root, claims }))
console.log(
  `${rows.length} claims of ${Object.keys(claims).length} holders at block ${block}, root ${tree.root}: ${out}`,
)
