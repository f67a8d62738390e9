import { z } from 'zod'
import { wrappedIn } from '../../util/allowed.ts'

/** The object with a description on each field. An optional field gets that of its value, which openapi.json would omit. */
export function describedFields(object: z.ZodObject): z.ZodObject {
  const fields = Object.entries(object.shape as Record<string, z.ZodType>)
  return z.object(
    Object.fromEntries(fields.map(([name, field]) => [name, field.meta({ description: descriptionOf(field) })])),
  )
}

function descriptionOf(schema: z.ZodType): string | undefined {
  const inner = wrappedIn(schema)
  return schema.description ?? (inner && descriptionOf(inner))
}
