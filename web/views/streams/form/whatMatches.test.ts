import { expect, test } from 'vitest'
import { newGroup, newRule } from './filterTree.ts'
import { newChoice, newForm } from './streamForm.ts'
import { whatMatches } from './whatMatches.ts'

const every = { ...newForm(['0x1']), allAddresses: true }
const transfer = newChoice('Transfer(address,address,uint256)', undefined)

test('default: a stream of single addresses has no note', () => {
  expect(whatMatches(newForm(['0x1']), 1)).toBeNull()
})

test('behavior: a stream without an address filter shows what it matches of every contract', () => {
  const place = 'of every contract and account on its chains'
  const end = `${place}: expect webhooks of nearly every block.`
  expect(whatMatches(every, 0)).toBe(`The stream matches every log ${end}`)
  expect(whatMatches({ ...every, events: [transfer] }, 0)).toBe(
    `The stream matches every log of the chosen event ${place}.`,
  )
  expect(whatMatches({ ...every, events: [transfer], includeNativeTxs: true }, 0)).toBe(
    `The stream matches every log of the chosen event and every transaction ${end}`,
  )
  expect(whatMatches({ ...every, events: [transfer], otherEvents: true, includeNativeTxs: true }, 0)).toBe(
    `The stream matches every log of the chosen event, every log of other events and every transaction ${end}`,
  )
  const filtered = { ...transfer, filter: newGroup('and', [newRule('value')]) }
  expect(
    whatMatches({ ...every, events: [filtered, transfer], includeNativeTxs: true, includeInternalTxs: true }, 0),
  ).toBe(
    `The stream matches every log of the 2 chosen events that matches its filter, every transaction and every internal transaction ${end}`,
  )
})

test('behavior: a stream that can match nothing shows a note', () => {
  expect(whatMatches(newForm(['0x1']), 0)).toBe(
    'The stream has no address: nothing matches until you add one on its page.',
  )
  const nothing = 'Nothing matches: choose logs, transactions or internal transactions.'
  expect(whatMatches({ ...every, includeContractLogs: false }, 0)).toBe(nothing)
  expect(whatMatches({ ...newForm(['0x1']), includeContractLogs: false, includeAllTxLogs: true }, 3)).toBe(nothing)
})
