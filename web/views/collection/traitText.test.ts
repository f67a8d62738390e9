import { expect, test } from 'vitest'
import { readTrait, writeTrait } from './traitText.ts'

test('default: writes a trait as type and value with a colon, and escapes both', () => {
  expect(writeTrait('Eyes', 'Laser')).toBe('Eyes:Laser')
  expect(writeTrait(null, 5)).toBe(':5')
  expect(writeTrait('a:b\\', 'c:\\d')).toBe('a\\:b\\\\:c\\:\\\\d')
})

test('behavior: reads every written trait back', () => {
  for (const type of ['', 'Eyes', ':', '\\', 'a\\:b', '\\\\:'])
    for (const value of ['', 'x', ':', '\\', '\\:', 'a,b\n'])
      expect(readTrait(writeTrait(type, value))).toEqual({ type, value })
})
