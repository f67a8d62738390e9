import { expect, test } from 'vitest'
import { createMask } from '../util/urls/secrets.ts'
import { parseConfig } from './config.ts'
import { configSecrets, maskedConfig } from './configSecrets.ts'

test('behavior: the password in the read replica URL is masked in the shown configuration and in logs', () => {
  const databaseReadUrl = 'postgres://reader:pa55word-of-it@replica.example:5433/pages'
  const config = parseConfig({ databaseUrl: 'postgres://u@primary.example/x', databaseReadUrl })
  expect(JSON.stringify(maskedConfig(config))).not.toContain('pa55word-of-it')
  expect(createMask(configSecrets(config))(`cannot reach ${databaseReadUrl}`)).not.toContain('pa55word-of-it')
})

test('behavior: the key in an RPC URL is masked, and chain names that occur in the URL are not', () => {
  const rpc = ['https://node.example/Ethereum/Zq8vK3pLx0', 'https://other.example/staging-net-9']
  const config = parseConfig({ chains: { ethereum: { rpc }, 'staging-net-9': { id: '0x7', rpc } } })
  const mask = createMask(configSecrets(config))
  expect(mask('{"chain":"ethereum","other":"staging-net-9","key":"Zq8vK3pLx0"}')).toBe(
    '{"chain":"ethereum","other":"staging-net-9","key":"***"}',
  )
})
