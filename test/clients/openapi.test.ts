import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientTypes, clientTypesFile } from '../../scripts/clientTypes.ts'

test('default: the committed types are those of openapi.json; npm run docs writes them', async () => {
  expect(readFileSync(clientTypesFile, 'utf8')).toBe(await clientTypes())
})
