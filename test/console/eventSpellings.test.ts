import { toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { createNamedEvents } from '../../src/stream/match/namedEvents.ts'
import { findEvent, readAbi } from '../../web/views/streams/form/readAbi.ts'

const transfer = (uint: string) => ({
  type: 'event',
  name: 'Transfer',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: uint, indexed: false },
  ],
})
const moved = {
  type: 'event',
  name: 'Moved',
  inputs: [
    { name: 'steps', type: 'tuple[]', components: [{ name: 'x', type: 'int' }, { type: 'address' }] },
    { name: 'marks', type: 'uint[2]', indexed: true },
  ],
}

const old = { type: 'event', name: 'Old', inputs: [{ type: 'byte' }, { name: 'rates', type: 'ufixed []' }] }

const topic = toEventSelector('Transfer(address,address,uint256)')

test('default: the stream form finds an event by the spellings that the server accepts', () => {
  const spellings = {
    Transfer: [
      topic,
      `0x${topic.slice(2).toUpperCase()}`,
      toEventSelector('transfer(address,address,uint256)'),
      'Transfer(address,address,uint256)',
      'Transfer(address,address,uint)',
      'transfer(address,address,uint256)',
      'TRANSFER (address,address,uint256)',
      ' Transfer( address , address,\tuint256 ) ; ',
      'event Transfer(address indexed from, address indexed to, uint256 value)',
      'event transfer(address indexed, address payable to, uint value);',
    ],
    Moved: [
      'Moved((int256,address)[],uint256[2])',
      'event moved(tuple(int x, address)[] steps, uint [2] indexed marks)',
      'event Moved( (int x, address) [ ] steps, uint256[ 2 ] marks )',
    ],
    Old: ['Old(bytes1,ufixed128x18[])', toEventSelector('Old(bytes1,ufixed128x18[])')],
    nothing: [
      toEventSelector('TRANSFER(address,address,uint256)'),
      'Moved((int256,address),uint256[2])',
      'Transfer(address,address)',
      'Transfer',
      'event',
      '',
    ],
  }
  for (const [name, texts] of Object.entries(spellings))
    for (const text of texts)
      for (const uint of ['uint', 'uint256']) {
        const abi = [transfer(uint), moved, old]
        const event = findEvent(readAbi(JSON.stringify(abi)).events, text)
        expect([event ? event.forms[0]!.item.name : 'nothing', onServer(abi, text)], text).toEqual([name, name])
      }
})

/** Name of the event in the ABI that the server finds. */
function onServer(abi: readonly unknown[], text: string): string {
  try {
    return [...createNamedEvents(abi).find(text, 'topic0[0]', true).values()].flat().at(-1)!.event.name
  } catch {
    return 'nothing'
  }
}
