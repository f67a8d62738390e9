import { expect, test } from 'vitest'
import { matchesEtag } from './etag.ts'

const etag = 'W/"7.12.1.abc"'

test.each([etag, '"7.12.1.abc"', '*', `"x", ${etag}`, `W/"y",${etag} , "z"`, '"a", *'])(
  'default: If-None-Match %s matches the ETag',
  (header) => {
    expect(matchesEtag(header, etag)).toBe(true)
  },
)

test.each(['', '"7.12.1"', '7.12.1.abc', 'W/"7.13.1.abc"', '"x", "y"', 'w/"7.12.1.abc"'])(
  'behavior: If-None-Match %s does not match the ETag',
  (header) => {
    expect(matchesEtag(header, etag)).toBe(false)
  },
)
