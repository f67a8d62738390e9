import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { testApiKey } from '../mintmark.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type ConsoleUnderTest, useConsole } from './consoleTest.ts'

export const hostile = '<img src=x onerror=alert(1)>\u202e"\'</script>'

export const tokenEvents = plain20.abi.filter((item) => item.type === 'event')

/** The console with a token whose values 1, 5, 6 and 70 were minted, and receivers for streams. */
export type StreamsUnderTest = {
  console(): ConsoleUnderTest
  token(): Address
  mint(value: bigint): Promise<{ blockNumber: bigint }>
  newReceiver(): Promise<Receiver>
  /** Sets the status that receivers return; initially 200. */
  answer(status: number): void
  /** Sends a request as an admin. Throws if the status is not 200. */
  api<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Creates a stream of every transfer of the token, with its own receiver. */
  newStream(fields?: Record<string, unknown>): Promise<{ id: string; receiver: Receiver }>
}

export function useStreams(): StreamsUnderTest {
  let token: Address
  let status = 200
  const console = useConsole({
    config: {
      outbound: { allow: ['127.0.0.1'] },
      chains: { local: { confirmations: 2 } },
      webhooks: { retryDelaysMs: [100, 100, 60_000] },
    },
    async seed(_, anvil) {
      token = await anvil.deploy(plain20, [])
      for (const value of [1n, 5n, 6n, 70n]) await mintOn(anvil, value)
    },
  })

  const mintOn = (anvil: Anvil, value: bigint) =>
    anvil.send({ to: token, abi: plain20.abi, functionName: 'mint', args: [anvil.accounts[1]!, value] })

  const streams: StreamsUnderTest = {
    console,
    token: () => token,
    mint: (value) => mintOn(console().anvil, value),
    async newReceiver() {
      const receiver = await startReceiver(() => status)
      console().undo(() => receiver.close())
      return receiver
    },
    answer(next) {
      status = next
    },
    async api(method, path, body) {
      const response = await fetch(console().server.url + path, {
        method,
        headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      expect(response.status, text).toBe(200)
      return JSON.parse(text)
    },
    async newStream(fields = {}) {
      const receiver = await streams.newReceiver()
      const { id } = await streams.api<{ id: string }>('PUT', '/streams/evm', {
        webhookUrl: receiver.url,
        description: 'of a test',
        tag: 'mints',
        chainIds: ['0x7a69'],
        topic0: ['Transfer(address,address,uint256)'],
        includeContractLogs: true,
        ...fields,
      })
      await streams.api('POST', `/streams/evm/${id}/address`, { address: token })
      return { id, receiver }
    },
  }
  return streams
}

/** The value next to a name in a list of figures. */
export function figure(place: Locator, name: string): Promise<string | null> {
  return place
    .locator('dl.stats > div', { hasText: new RegExp(`^${name}`) })
    .locator('.figure')
    .textContent()
}

/** The badges that show a state. */
export function badge(place: Locator, state: string): Locator {
  return place.locator('.badge', { hasText: new RegExp(`^${state}$`) })
}

/** Values of the transfers in the received webhooks, without the test webhook. */
export function valuesOf({ received }: Receiver): string[] {
  return received.slice(1).map(({ body }) => JSON.parse(body).erc20Transfers[0].value)
}
