import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openapiText } from '../../scripts/openapiText.ts'

const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')

test('default: the committed openapi.json is what the routes say; node scripts/writeOpenapi.ts writes it', () => {
  expect(committed).toBe(openapiText())
})

test('behavior: it is a valid document of OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.parse(committed))
  expect(result).toEqual({ valid: true })
  const broken = JSON.parse(committed)
  delete broken.info.title
  expect((await new Validator().validate(broken)).valid).toBe(false)
})
