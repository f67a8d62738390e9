import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandWord } from './commandWord.ts'

test('default: text that a shell reads as one word stays unchanged', () => {
  for (const word of ['eth', '0x7a69', 'my-chain_2', 'https://a.example/b']) expect(commandWord(word)).toBe(word)
  expect(commandWord('bsc testnet')).toBe("'bsc testnet'")
})

test('behavior: a shell reads every quoted text back unchanged', () => {
  const texts = ['bsc testnet', "it's", '$HOME', '`ls`', 'a"b', 'a\\b', '*', '', ';', 'ключ']
  const out = execFileSync('sh', ['-c', `printf '%s\\n' ${texts.map(commandWord).join(' ')}`], { encoding: 'utf8' })
  expect(out).toBe(`${texts.join('\n')}\n`)
})
