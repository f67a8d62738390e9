import { encodeAbiParameters, toFunctionSelector } from 'viem'
import type { Hex } from '../../src/util/hex.ts'

/**
 * Code of a contract whose `tokenURI` returns these URIs, by token id. URIs can have any length:
 * they are part of the code, for which `anvil_setCode` has no limit. All other calls revert.
 */
export function uriCode(uris: ReadonlyMap<number, string>): Hex {
  const answers = [...uris.values()].map((uri) => encodeAbiParameters([{ type: 'string' }], [uri]).slice(2))
  const selector = toFunctionSelector('tokenURI(uint256)').slice(2)
  // All other selectors jump to the revert after the table.
  const head = `5f3560e01c63${selector}14`
  const tail = '5b5f5ffd'
  const jump = (target: number) => `61${word(target, 2)}57`
  const entryBytes = 1 + 2 + 1 + 2 + 1 + 3 + 1
  const answerBytes = 1 + 4 + 4 + 1 + 1 + 4 + 1 + 1
  const revertAt = head.length / 2 + 1 + 4 + uris.size * entryBytes
  const firstAnswer = revertAt + tail.length / 2
  const firstData = firstAnswer + uris.size * answerBytes
  const table = [...uris.keys()]
    .map((id, i) => `60043561${word(id, 2)}14${jump(firstAnswer + i * answerBytes)}`)
    .join('')
  let at = firstData
  const blocks = answers.map((answer) => {
    const size = answer.length / 2
    const block = `5b62${word(size, 3)}62${word(at, 3)}5f3962${word(size, 3)}5ff3`
    at += size
    return block
  })
  return `0x${head}15${jump(revertAt)}${table}${tail}${blocks.join('')}${answers.join('')}`
}

function word(value: number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0')
}
