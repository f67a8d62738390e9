import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandWord } from './commandWord.ts'

test('default: a text that a shell takes for one word stays as it is', () => {
  for (const word of ['eth', '0x7a69', 'my-chain_2', 'https://a.example/b']) expect(commandWord(word)).toBe(word)
  expect(commandWord('bsc testnet')).toBe("'bsc testnet'")
})

test('behavior: a shell reads every text back', () => {
  const texts = ['bsc testnet', "it's", '$HOME', '`ls`', 'a"b', 'a\\b', '*', '', ';', 'ключ']
  const out = execFileSync('sh', ['-c', `printf '%s\\n' ${texts.map(commandWord).join(' ')}`], { encoding: 'utf8' })
  expect(out).toBe(`${texts.join('\n')}\n`)
})
