import { expect, test } from 'vitest'
import { readTrait, writeTrait } from './traitText.ts'

test('default: a trait is a type and a value behind a colon, whatever both hold', () => {
  expect(writeTrait('Eyes', 'Laser')).toBe('Eyes:Laser')
  expect(writeTrait(null, 5)).toBe(':5')
  expect(writeTrait('a:b\\', 'c:\\d')).toBe('a\\:b\\\\:c\\:\\\\d')
})

test('behavior: what was written is read again', () => {
  for (const type of ['', 'Eyes', ':', '\\', 'a\\:b', '\\\\:'])
    for (const value of ['', 'x', ':', '\\', '\\:', 'a,b\n'])
      expect(readTrait(writeTrait(type, value))).toEqual({ type, value })
})
